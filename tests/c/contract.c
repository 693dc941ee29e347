/* The whole contract, from C99 and C11; prints the sizes of the structures. */
#include "contract_types.h"

#include "contract_functions.h"
#if RECORD >= 6
#include "contract_joints.h"
#endif

int main(void) {
    contract_constants();
    contract_types();
    contract_functions();
#if RECORD >= 6
    contract_joints();
#endif
    return contract_failures == 0 ? 0 : 1;
}
