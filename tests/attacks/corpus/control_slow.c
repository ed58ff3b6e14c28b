/*
 * family: control
 * kind:   launcher
 * quick:  yes
 * idea:   the same slowdown as that of the attacks, and nothing that hides it
 * want:   1
 */
