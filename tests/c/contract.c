/* The whole contract, from C99 and C11; prints the sizes of the structures. */
#include "contract_types.h"

#include "contract_functions.h"

int main(void) {
    contract_constants();
    contract_types();
    contract_functions();
    return contract_failures == 0 ? 0 : 1;
}
