/*
 * family: control
 * kind:   launcher
 * quick:  yes
 * idea:   the same code and another comment
 * cost:   100
 * want:   0
 */
