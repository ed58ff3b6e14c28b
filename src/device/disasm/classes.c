/* Classifies instructions by their opcodes. The names are those of "Instruction Set
 * Reference" in NVIDIA's documentation of the CUDA binary utilities, from Volta to
 * Blackwell. */

#include "disasm/listing.h"

/* Opcodes, separated by spaces. */
static const struct {
	ba_instruction_class class;
	const char *opcodes;
} rows[] = {
	{BA_CLASS_GLOBAL_LOAD, "LDG"},
	{BA_CLASS_GLOBAL_STORE, "STG"},
	{BA_CLASS_GENERIC_LOAD, "LD"},
	{BA_CLASS_GENERIC_STORE, "ST"},
	{BA_CLASS_LOCAL_LOAD, "LDL"},
	{BA_CLASS_LOCAL_STORE, "STL"},
	{BA_CLASS_SHARED_LOAD, "LDS LDSM"},
	{BA_CLASS_SHARED_STORE, "STS STSM STAS"},
	{BA_CLASS_CONSTANT_LOAD, "LDC ULDC LDCU"},
	{BA_CLASS_BARRIER,
		"BAR B2R MEMBAR ERRBAR FENCE DEPBAR LDGDEPBAR LDTDEPBAR ARRIVES SYNCS WARPSYNC WARPGROUP UCGABAR_ARV UCGABAR_WAIT CGAERRBAR CCTL CCTLL CCTLT UTMACCTL UTMACMDFLUSH ACQBULK ENDCOLLECTIVE UTCBAR UTCATOMSWS"},
	{BA_CLASS_TENSOR,
		"HMMA IMMA DMMA BMMA QMMA OMMA HGMMA IGMMA QGMMA BGMMA OGMMA UTCHMMA UTCIMMA UTCQMMA UTCOMMA UTCMXQMMA"},
	{BA_CLASS_COPY,
		"LDGSTS UBLKCP UBLKPF UBLKRED UTMALDG UTMASTG UTMAPF UTMAREDG UTCCP LDT STT LDTM STTM"},
	{BA_CLASS_TEXTURE, "TEX TLD TLD4 TMML TXD TXQ SULD SUST SUATOM SURED SUQUERY"},
	{BA_CLASS_ATOMIC, "ATOM ATOMG ATOMS RED REDG REDAS"},
	{BA_CLASS_WARP, "SHFL VOTE VOTEU MATCH REDUX CREDUX ELECT"},
	{BA_CLASS_SPECIAL, "MUFU"},
	{BA_CLASS_CONVERSION,
		"F2F F2FP F2I F2IP I2F I2FP I2I I2IP FRND UF2F UF2FP UF2I UI2F UI2FP"},
	{BA_CLASS_FP64, "DADD DFMA DMUL DSETP DMNMX"},
	{BA_CLASS_FP16,
		"HADD2 HADD2_32I HFMA2 HFMA2_32I HMNMX2 HMUL2 HMUL2_32I HSET2 HSETP2 HSETP HMNMX"},
	{BA_CLASS_FP32,
		"FADD FADD2 FADD32I FCHK FFMA FFMA2 FFMA32I FHADD FHFMA FMNMX FMNMX3 FMUL FMUL2 FMUL32I FSEL FSET FSETP FSWZADD FRCP UFADD UFFMA UFMUL UFMNMX UFSEL UFSET UFSETP"},
	{BA_CLASS_MOVE,
		"MOV MOV32I UMOV MOVM SEL USEL PRMT UPRMT S2R S2UR CS2R CS2UR R2UR R2B P2R R2P UP2UR UR2UP SWPLEPC GETLMEMBASE SETLMEMBASE LEPC PLOP3 UPLOP3 PSETP UPSETP BMOV"},
	{BA_CLASS_CONTROL,
		"BRA BRX BRXU JMP JMX JMXU EXIT RET CALL BREAK BSSY BSYNC BPT KILL NANOSLEEP YIELD RPCMOV RTT PREEXIT USETMAXREG"},
	{BA_CLASS_INTEGER,
		"BMSK BREV FLO IABS IADD IADD2 IADD3 IADD32I IADD64 IDP IDP4A IMAD IMMUL IMNMX IMUL IMUL32I ISCADD ISCADD32I ISETP LEA LOP LOP3 LOP32I POPC SHF SHL SHR SGXT VABSDIFF VABSDIFF4 VADD VADDMNMX VHMNMX VIADD VIADDMNMX VIMNMX VIMNMX3 UBMSK UBREV UFLO UIABS UIADD3 UIMAD UIMNMX UISETP ULEA ULOP ULOP3 ULOP32I UPOPC USGXT USHF USHL USHR UVIADD UVIMNMX UIADD"},
};

/* Is the opcode one of the list's words? */
static bool is_listed(const char *list, const char *opcode, size_t n)
{
	while (*list) {
		size_t word = strcspn(list, " ");
		if (n == word && strncmp(list, opcode, n) == 0)
			return true;
		list += word + strspn(list + word, " ");
	}
	return false;
}

/* Compilers move constants with any idle unit: "HFMA2.MMA R0, -RZ, RZ, 0, 0",
 * "IMAD.MOV.U32 R1, RZ, RZ, R2". */
static bool is_move(const char *opcode)
{
	return ba_text_starts(opcode, "IMAD.MOV") ||
	       ((ba_text_starts(opcode, "HFMA2.MMA ") || ba_text_starts(opcode, "HFMA2 ")) &&
		       strstr(opcode, ", -RZ, RZ, "));
}

static ba_instruction_class class_of(const ba_instruction *i)
{
	const char *opcode = i->text;
	if (*opcode == '@')
		opcode += strcspn(opcode, " ");
	opcode += strspn(opcode, " ");
	size_t n = strcspn(opcode, ". ");
	if (is_move(opcode))
		return BA_CLASS_MOVE;
	for (size_t k = 0; k < BA_COUNT(rows); k++)
		if (is_listed(rows[k].opcodes, opcode, n))
			return rows[k].class;
	return BA_CLASS_OTHER;
}

void ba_listing_classes(uint64_t classes[BA_CLASS_COUNT], const ba_listing *l)
{
	memset(classes, 0, BA_CLASS_COUNT * sizeof(*classes));
	for (size_t i = 0; i < l->count; i++)
		classes[class_of(&l->instructions[i])]++;
}
