/* emulator_state.h -- between emulator.cpp and emulator_hopper.cpp */
#ifndef EMULATOR_STATE_H
#define EMULATOR_STATE_H

void emulator_moved();	      /* something did: no deadlock */
void emulator_hopper_begin(); /* of a block */
void emulator_hopper_end();

#endif
