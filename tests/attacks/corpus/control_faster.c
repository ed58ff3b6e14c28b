/*
 * family: control
 * kind:   launcher
 * idea:   true improvement by a third
 * cost:   66
 * want:   0
 */
