// Bodies with names and passwords of users. Their rules are those of the room auth, which the wire
// structs do not know; they are checked together with the rules of the fields.
#pragma once

#include "api/wire/login.hpp"
#include "api/wire/reset_link.hpp"
#include "api/wire/user.hpp"

namespace parley::api {

struct CheckedNewUser : NewUserBody {
    void check(Faults& faults) const;
};

struct CheckedUserChange : UserChangeBody {
    void check(Faults& faults) const;
};

struct CheckedOwnChange : OwnChangeBody {
    void check(Faults& faults) const;
};

struct CheckedNewPassword : NewPasswordBody {
    void check(Faults& faults) const;
};

struct CheckedSetup : SetupBody {
    void check(Faults& faults) const;
};

struct CheckedAcceptance : AcceptBody {
    void check(Faults& faults) const;
};

struct CheckedReset : ResetBody {
    void check(Faults& faults) const;
};

}  // namespace parley::api
