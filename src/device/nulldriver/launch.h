/* The switch that keeps launch functions on their fast path. */
#ifndef NULLDRIVER_LAUNCH_H
#define NULLDRIVER_LAUNCH_H

/* Call when recording or a capture begins or ends: decides anew whether launches must
 * take the slow path. */
void launch_attend(void);

#endif
