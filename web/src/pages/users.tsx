// For operators: the users of this server.
import { useState } from "preact/hooks";
import * as calls from "../api/calls";
import type { Invitation, User } from "../api/types";
import { user as me } from "../auth/login";
import { formatTime, words } from "../text";
import { Avatar } from "../ui/avatar";
import { Dialog } from "../ui/dialog";
import { wordsOf } from "../ui/errors";
import { Field, textOfField } from "../ui/form";
import { Dots, Plus } from "../ui/icons";
import { MenuButton, type Action } from "../ui/menu";
import { toast } from "../ui/toasts";
import { Confirm, ListFoot, Secret } from "./list_parts";
import { useListing } from "./listing";
import { NewUser, UserLimitsForm, UserPasswordForm } from "./user_forms";
import { Page } from "./page";
import { adminTabs } from "./tabs";

type Open = { what: "limits" | "password" | "remove" | "factor"; user: User } | { what: "invitation" | "reset"; user: User; invitation: Invitation } | { what: "new" };

function RemoveUser({ user, close, removed }: { user: User; close: () => void; removed: () => void }) {
  const t = words();
  const pattern = user.username.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  return (
    <Confirm title={t.removeUser(user.username)} lead={t.removeUserLead} button={t.remove} close={close}
             run={async () => { await calls.users.remove(user.id); removed(); }}>
      <Field label={t.removeUserTyped(user.username)} name="typed" autocomplete="off" required pattern={pattern} />
    </Confirm>
  );
}

export function UsersPage() {
  const t = words();
  const [q, setQ] = useState("");
  const [open, setOpen] = useState<Open | null>(null);
  const listing = useListing<User>((after) => calls.users.list(after, q), q);
  const close = () => setOpen(null);
  const changed = (next: User) => listing.change((all) => all.map((each) => (each.id === next.id ? { ...each, ...next } : each)));
  const change = (user: User, body: calls.UserChange) => () =>
    void calls.users.change(user.id, body).then(changed, (error) => toast(wordsOf(error)));
  const invite = (user: User) => () =>
    void calls.users.invite(user.id).then(({ invitation }) => invitation && setOpen({ what: "invitation", user, invitation }), (error) => toast(wordsOf(error)));
  const resetLink = (user: User) => () =>
    void calls.users.resetLink(user.id).then((invitation) => setOpen({ what: "reset", user, invitation }), (error) => toast(wordsOf(error)));
  const actions = (user: User): Action[] => [
    { name: t.inviteAgain, run: invite(user) },
    { name: t.accounts.newResetLink, run: resetLink(user) },
    { name: t.setPassword, run: () => setOpen({ what: "password", user }) },
    ...(user.second_factor ? [{ name: t.accounts.removeFactor, run: () => setOpen({ what: "factor", user }) }] : []),
    { name: t.userLimits, run: () => setOpen({ what: "limits", user }) },
    user.role === "operator" ? { name: t.makeMember, run: change(user, { role: "member" }) } : { name: t.makeOperator, run: change(user, { role: "operator" }) },
    ...(user.id === me.value?.id ? [] : [
      user.disabled ? { name: t.enable, run: change(user, { disabled: false }) } : { name: t.disable, run: change(user, { disabled: true }) },
      { name: t.remove, danger: true, run: () => setOpen({ what: "remove", user }) },
    ]),
  ];
  return (
    <Page title={t.users} lead={t.usersLead} tabs={adminTabs("users")}
          action={<button type="button" class="primary with-icon" onClick={() => setOpen({ what: "new" })}><Plus size={18} />{t.addUser}</button>}>
      <form class="row-form" role="search" aria-label={t.searchUsers} onSubmit={(event) => { event.preventDefault(); setQ(textOfField(new FormData(event.currentTarget), "q").trim()); }}>
        <Field label={t.searchUsers} name="q" type="search" maxLength={128} />
        <button class="quiet">{t.search}</button>
      </form>
      {listing.rows.length > 0 && (
        <ul class="rows">
          {listing.rows.map((user) => (
            <li key={user.id}>
              <Avatar name={user.display_name || user.username} />
              <div class="row-words">
                <p><b dir="auto">{user.display_name || user.username}</b> {user.display_name && user.display_name !== user.username && <span class="fine">{user.username}</span>}
                  {user.role === "operator" && <span class="badge">{t.operator}</span>}{user.second_factor && <span class="badge">{t.accounts.protectedBadge}</span>}{user.disabled && <span class="badge bad">{t.disabled}</span>}</p>
                <p class="fine">{t.lastLogin}: {user.last_login_at ? formatTime(user.last_login_at) : t.never}</p>
              </div>
              <MenuButton label={t.sessionActions(user.username)} actions={actions(user)}><Dots /></MenuButton>
            </li>
          ))}
        </ul>
      )}
      <ListFoot listing={listing} empty={t.noUsers} />
      {open?.what === "new" && <NewUser close={close} made={(user, invitation) => {
        listing.change((all) => [user, ...all]);
        setOpen(invitation ? { what: "invitation", user, invitation } : null);
      }} />}
      {open?.what === "limits" && <UserLimitsForm user={open.user} close={close} changed={changed} />}
      {open?.what === "password" && <UserPasswordForm user={open.user} close={close} changed={changed} />}
      {open?.what === "factor" && <Confirm title={t.accounts.removeFactorTitle(open.user.username)} lead={t.accounts.removeFactorLead} button={t.accounts.removeFactor} close={close}
        run={async () => { await calls.users.removeFactor(open.user.id); changed({ ...open.user, second_factor: false }); }} />}
      {open?.what === "remove" && <RemoveUser user={open.user} close={close} removed={() => listing.change((all) => all.filter((each) => each.id !== open.user.id))} />}
      {(open?.what === "invitation" || open?.what === "reset") && (
        <Dialog title={`${open.what === "reset" ? t.accounts.resetLink : t.invitation}: ${open.user.username}`} close={close}>
          <Secret text={new URL(open.invitation.url, location.href).href}
                  lead={(open.what === "reset" ? t.accounts.resetLinkLead : t.invitationLead)(open.user.username, formatTime(open.invitation.expires_at))} />
          <div class="buttons"><button type="button" class="quiet" onClick={close}>{t.done}</button></div>
        </Dialog>
      )}
    </Page>
  );
}

