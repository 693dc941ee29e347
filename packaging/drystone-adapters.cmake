# The targets of drystone's adapters: drystone::bullet and drystone::ode, for programs that have Bullet and ODE from
# wherever they have them. What an adapter has in sources is compiled with the target that links it.
#
# Included where drystone_INCLUDE_DIR and drystone_SHARE_DIR are known, and drystone::drystone is.
foreach(_drystone_adapter bullet ode)
    if(EXISTS "${drystone_INCLUDE_DIR}/drystone/${_drystone_adapter}" AND NOT TARGET drystone::${_drystone_adapter})
        add_library(drystone::${_drystone_adapter} INTERFACE IMPORTED ${drystone_SCOPE})
        file(GLOB _drystone_sources "${drystone_SHARE_DIR}/${_drystone_adapter}/*.cpp")
        set_target_properties(drystone::${_drystone_adapter} PROPERTIES
            INTERFACE_INCLUDE_DIRECTORIES "${drystone_INCLUDE_DIR}/drystone/${_drystone_adapter}"
            INTERFACE_SOURCES "${_drystone_sources}"
            INTERFACE_LINK_LIBRARIES drystone::drystone)
    endif()
endforeach()
