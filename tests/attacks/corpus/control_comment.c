/*
 * family: control
 * kind:   launcher
 * idea:   the same code and another comment
 * cost:   100
 * want:   0
 */
