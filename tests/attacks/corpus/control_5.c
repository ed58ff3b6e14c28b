/*
 * family: control
 * kind:   launcher
 * idea:   true +5 %
 * cost:   105
 * want:   1
 */
