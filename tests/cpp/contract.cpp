// The whole contract, from C++17; prints the sizes of the structures.
#include "../c/contract_types.h"

#include "../c/contract_functions.h"
#if RECORD >= 6
#include "../c/contract_joints.h"
#endif

#include <type_traits>

// Hosts copy these with memcpy and keep them in vectors.
static_assert(std::is_trivially_copyable<dry_contact>::value && std::is_standard_layout<dry_contact>::value);
static_assert(std::is_trivially_copyable<dry_body_def>::value && std::is_standard_layout<dry_body_def>::value);

int main() {
    contract_constants();
    contract_types();
    contract_functions();
#if RECORD >= 6
    contract_joints();
#endif
    return contract_failures == 0 ? 0 : 1;
}
