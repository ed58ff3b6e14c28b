/* What the launch functions look at beside their parameters. */
#ifndef NULLDRIVER_LAUNCH_H
#define NULLDRIVER_LAUNCH_H

/* Recording or a capture begins or ends: launches must look closer, or need not. */
void launch_attend(void);

#endif
