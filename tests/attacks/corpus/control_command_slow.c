/*
 * family: control
 * kind:   command
 * idea:   the same slowdown as that of the attacks, and nothing that hides it
 * want:   1
 * untrusted: 125
 */
