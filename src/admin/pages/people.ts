/** People of an organisation, on the pages of those who administer it. */
import { html } from "../../output/markup.ts";
import { isolated, link, part, table } from "../../pages/parts.ts";
import type { Page } from "../../pages/visit.ts";
import { refusal } from "../../resources/errors.ts";
import {
  addMember,
  changeRole,
  findMember,
  isKnown,
  listMembers,
  type Member,
  type Role,
  removeMember,
  roles,
} from "../../service/auth/people.ts";
import {
  type AdministrationDesk,
  askPage,
  choiceField,
  type DeskRoute,
  form,
  type Onward,
  submit,
  textField,
  typed,
} from "./desk.ts";
import { roleChoices, roleNames } from "./roles.ts";

async function showPeople(desk: AdministrationDesk): Promise<Page> {
  const members = await listMembers(desk.staff);
  return {
    title: "People",
    body: html`${table({
      caption: "People who work for the organisation",
      columns: [{ heading: "Name" }, { heading: "Email address" }, { heading: "Role" }],
      rows: members.map((each) => [
        link(`${desk.base}/people/${each.id}`, each.name),
        isolated(each.email),
        roleNames[each.role],
      ]),
      empty: "Nobody signs in to work for this organisation yet.",
    })}
${part("invite", "Let somebody in", inviteForm(desk))}`,
  };
}

function inviteForm(desk: AdministrationDesk) {
  return form(
    desk,
    "/people",
    textField(desk, { name: "email", label: "Email address", type: "email" }),
    textField(desk, {
      name: "name",
      label: "Name",
      isOptional: true,
      hint: "As history calls them; what stands before the @ when left empty.",
    }),
    choiceField(desk, { name: "role", label: "Role", values: roleChoices, value: "standard" }),
    textField(desk, {
      name: "password",
      label: "First password",
      type: "password",
      autocomplete: "new-password",
      isOptional: true,
      max: 1024,
      hint: "Tell it to them yourself; they change it on the page of their account. Who is known to this server already keeps their own.",
    }),
    submit("Let in"),
  );
}

async function invite(desk: AdministrationDesk): Promise<Onward> {
  const [email, name] = [typed(desk, "email"), typed(desk, "name")];
  const password = desk.request.form?.get("password") ?? "";
  // A user that the server has already may belong to other organisations: name and password stay.
  const isNew = !(await isKnown(desk.staff, email));
  if (isNew && password === "") throw refused("Give them a first password to sign in with.");
  await addMember(desk.staff, {
    email,
    role: roleIn(desk),
    ...(isNew ? { password, name: name || undefined } : {}),
  });
  return { to: "/people", said: "person-added" };
}

/** @throws RefusedError */
function roleIn(desk: AdministrationDesk): Role {
  const found = roles.find((role) => role === typed(desk, "role"));
  if (found === undefined) throw refused("Choose a role.");
  return found;
}

const refused = (message: string) => refusal("People", message);

async function showPerson(desk: AdministrationDesk, key = ""): Promise<Page> {
  const member = await findMember(desk.staff, key);
  const { id, name, email, role } = member;
  return {
    title: name,
    heading: isolated(name),
    body: html`<p>${isolated(email)}</p>
${
  isOneself(desk, member)
    ? html`<p>Your role is ${roleNames[role]}. Another adviser gives you another one, so that somebody is left to administer.</p>`
    : html`${form(
        desk,
        `/people/${id}`,
        choiceField(desk, { name: "role", label: "Role", values: roleChoices, value: role }),
        submit("Change the role"),
      )}<p>${link(`${desk.base}/people/${id}/remove`, "Remove from the organisation")}</p>`
}
<p>${link(`${desk.base}/audit?${new URLSearchParams({ person: email })}`, "What they administered, and what was done about them")}</p>`,
  };
}

const isOneself = ({ session }: AdministrationDesk, { id }: Member) => id === session.person.id;

/** @throws RefusedError for oneself */
async function anotherMember(desk: AdministrationDesk, key: string): Promise<Member> {
  const member = await findMember(desk.staff, key);
  if (!isOneself(desk, member)) return member;
  throw refused("Another adviser has to do that to you, so that somebody is left to administer.");
}

async function setRole(desk: AdministrationDesk, key = ""): Promise<Onward> {
  const { id } = await anotherMember(desk, key);
  await changeRole(desk.staff, id, roleIn(desk));
  return { to: `/people/${id}`, said: "role-changed" };
}

async function askRemove(desk: AdministrationDesk, key = ""): Promise<Page> {
  const { id, name, email } = await findMember(desk.staff, key);
  return askPage(desk, {
    title: `Remove ${name}?`,
    text: html`${isolated(email)} can sign in to these books no longer, and apps can do nothing more here in their name. What they have done stays, under their name.`,
    button: "Remove",
    path: `/people/${id}/remove`,
    back: `/people/${id}`,
  });
}

async function remove(desk: AdministrationDesk, key = ""): Promise<Onward> {
  await removeMember(desk.staff, (await anotherMember(desk, key)).id);
  return { to: "/people", said: "person-removed" };
}

export const peopleRoutes: readonly DeskRoute<AdministrationDesk>[] = [
  { path: "/people", show: showPeople, act: invite },
  { path: "/people/{id}", show: showPerson, act: setRole },
  { path: "/people/{id}/remove", show: askRemove, act: remove },
];
