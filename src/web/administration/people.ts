/** Administration pages of the members of an organisation. */
import { html } from "../../output/markup.ts";
import { refusal } from "../../resources/errors.ts";
import { type LinkPurpose, mailLink, makeLink } from "../../service/auth/password-links.ts";
import {
  addMember,
  changeRole,
  findMember,
  isKnown,
  listMembers,
  type Role,
  type RoleUser,
  removeMember,
  roles,
} from "../../service/auth/people.ts";
import { secondFactorOf } from "../../store/directory/second-factors.ts";
import { redirectTo } from "../account/account-router.ts";
import { roleChoices, roleNames } from "../account/role-names.ts";
import { cardTable, isolated, link, pagePart } from "../frame/components.ts";
import { askPage, choiceField, form, submit, textField, typed } from "../frame/forms.ts";
import type { Page, PageResponse } from "../frame/page-context.ts";
import { notFound, type Route } from "../frame/router.ts";
import type { AdministrationContext } from "./context.ts";

async function showPeople(ctx: AdministrationContext): Promise<Page> {
  const members = await listMembers(ctx.staff);
  return {
    title: "People",
    body: html`${cardTable({
      caption: "People who work for the organisation",
      columns: [{ heading: "Name" }, { heading: "Email address" }, { heading: "Role" }],
      rows: members.map((member) => [
        link(`${ctx.base}/people/${member.id}`, member.name),
        isolated(member.email),
        roleNames[member.role],
      ]),
      empty: "Nobody signs in to work for this organisation yet.",
    })}
${pagePart("invite", "Let somebody in", inviteForm(ctx))}`,
  };
}

function inviteForm(ctx: AdministrationContext) {
  return form(
    ctx,
    "/people",
    textField(ctx, { name: "email", label: "Email address", type: "email" }),
    textField(ctx, {
      name: "name",
      label: "Name",
      isOptional: true,
      hint: "As history calls them; what stands before the @ when left empty.",
    }),
    choiceField(ctx, { name: "role", label: "Role", values: roleChoices, value: "standard" }),
    textField(ctx, {
      name: "password",
      label: "First password",
      type: "password",
      autocomplete: "new-password",
      isOptional: true,
      max: 1024,
      hint: `${ctx.host.post === undefined ? "" : "Left empty, they are mailed a link by which they choose one, good for 7 days. "}Otherwise tell it to them yourself; they change it on the page of their account. Who is known to this server already keeps their own.`,
    }),
    submit("Let in"),
  );
}

async function invite(ctx: AdministrationContext): Promise<PageResponse> {
  const [email, name] = [typed(ctx, "email"), typed(ctx, "name")];
  const password = ctx.form?.get("password") ?? "";
  // An existing user of the server may belong to other organisations, so name and password are
  // kept.
  const isNew = !(await isKnown(ctx.staff, email));
  const isInvited = isNew && password === "" && ctx.host.post !== undefined;
  if (isNew && password === "" && !isInvited) {
    throw refused("Give them a first password to sign in with.");
  }
  const { id } = await addMember(ctx.staff, {
    email,
    role: roleIn(ctx),
    isInvited,
    ...(isNew ? { password: password || undefined, name: name || undefined } : {}),
  });
  if (!isInvited) return redirectTo("/people", "person-added");
  await mailTo(ctx, id, "invitation");
  return redirectTo("/people", "person-invited");
}

/** Mails a member a one-time link to set a password. @throws RefusedError, UnavailableError */
async function mailTo({ host, staff }: AdministrationContext, id: string, purpose: LinkPurpose) {
  if (host.post === undefined) throw notFound();
  const link = await makeLink(staff, id, { purpose, origin: host.origin() });
  await mailLink(link, host.post, host.clock());
}

async function reset(ctx: AdministrationContext, key = ""): Promise<PageResponse> {
  const { id } = await findMember(ctx.staff, key);
  await mailTo(ctx, id, "reset");
  return redirectTo(`/people/${id}`, "link-mailed");
}

/** Reads the role from the form. @throws RefusedError */
function roleIn(ctx: AdministrationContext): Role {
  const match = roles.find((role) => role === typed(ctx, "role"));
  if (match === undefined) throw refused("Choose a role.");
  return match;
}

const refused = (message: string) => refusal("People", message);

async function showPerson(ctx: AdministrationContext, key = ""): Promise<Page> {
  const member = await findMember(ctx.staff, key);
  const { id, name, email, role } = member;
  const factor = await ctx.staff.directory.read((tx) => secondFactorOf(tx, id));
  return {
    title: name,
    heading: isolated(name),
    body: html`<p>${isolated(email)}</p>
<p>${factor === undefined ? "Signs in by password alone." : "Signs in by password and a second factor."}</p>
${
  isOneself(ctx, member)
    ? html`<p>Your role is ${roleNames[role]}. Another adviser gives you another one, so that somebody is left to administer.</p>`
    : html`${form(
        ctx,
        `/people/${id}`,
        choiceField(ctx, { name: "role", label: "Role", values: roleChoices, value: role }),
        submit("Change the role"),
      )}<p>${link(`${ctx.base}/people/${id}/remove`, "Remove from the organisation")}</p>`
}
${ctx.host.post === undefined ? "" : form(ctx, `/people/${id}/reset`, submit("Mail a link to choose another password"))}
<p>${link(`${ctx.base}/audit?${new URLSearchParams({ person: email })}`, "What they administered, and what was done about them")}</p>`,
  };
}

const isOneself = ({ session }: AdministrationContext, { id }: RoleUser) =>
  id === session.person.id;

/** Finds a member other than the signed-in user. @throws RefusedError for the user itself */
async function anotherMember(ctx: AdministrationContext, key: string): Promise<RoleUser> {
  const member = await findMember(ctx.staff, key);
  if (!isOneself(ctx, member)) return member;
  throw refused("Another adviser has to do that to you, so that somebody is left to administer.");
}

async function setRole(ctx: AdministrationContext, key = ""): Promise<PageResponse> {
  const { id } = await anotherMember(ctx, key);
  await changeRole(ctx.staff, id, roleIn(ctx));
  return redirectTo(`/people/${id}`, "role-changed");
}

async function askRemove(ctx: AdministrationContext, key = ""): Promise<Page> {
  const { id, name, email } = await findMember(ctx.staff, key);
  return askPage(ctx, {
    title: `Remove ${name}?`,
    text: html`${isolated(email)} can sign in to these books no longer, and apps can do nothing more here in their name. What they have done stays, under their name.`,
    button: "Remove",
    path: `/people/${id}/remove`,
    back: `/people/${id}`,
  });
}

async function remove(ctx: AdministrationContext, key = ""): Promise<PageResponse> {
  await removeMember(ctx.staff, (await anotherMember(ctx, key)).id);
  return redirectTo("/people", "person-removed");
}

export const peopleRoutes: readonly Route<AdministrationContext>[] = [
  { path: "/people", show: showPeople, act: invite },
  { path: "/people/{id}", show: showPerson, act: setRole },
  { path: "/people/{id}/reset", show: showPerson, act: reset },
  { path: "/people/{id}/remove", show: askRemove, act: remove },
];
