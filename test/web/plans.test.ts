/** Pages of plans: what waits, what one would do, and who decides on it there. */
import { expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { contact, type Json, sale, type World, world } from "../service/fixture.ts";
import { asked, hire, serviceAs } from "../service/plans/people.ts";
import { browsing, formToken, textOf } from "./browsing.ts";

const [ann, ben] = ["ann@heron.example", "ben@heron.example"];

async function invoicePlan(given: World): Promise<Json> {
  const Body = JSON.stringify(sale(await contact(given), { Status: "AUTHORISED" }));
  return { Requests: [{ Method: "PUT", Path: "/Invoices", MediaType: "application/json", Body }] };
}

const hiddenIn = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";
const actsIn = (html: string) =>
  [...html.matchAll(/name="do" value="(\w+)"/g)].map(([, name = ""]) => name);

/** A served book in which Ann proposed an invoice that Ben is to approve, and the pages as Ben sees them. */
async function office(mayWrite = true) {
  const given = await world();
  await hire(given, ben);
  const proposal = { ...(await invoicePlan(given)), ApproveBy: ben };
  const plan = await asked(given, ann)("", { ...proposal, Command: "acct <b>invoice</b> create" });
  const client = createClient(serviceAs(given, ben).transport, {
    unitDecimals: 4,
    rollsBack: true,
  });
  const person = { name: "Ben", account: "/me", signOut: "/sign-out" };
  const allows = (method: string) => method === "GET" || mayWrite;
  const pages = browsing(given, { client, person, allows });
  const send = (form: Record<string, string>) =>
    pages.send("/plans/1", { digest: plan.Digest, token: formToken, ...form });
  return { given, plan, proposal, see: pages.see, send };
}

test("a person reads on a page all that a plan would do, approves it, and applies it", async () => {
  const { given, plan, see, send } = await office();
  const list = textOf((await see("/plans?state=WAITING")).html);
  expect(list).toContain("creates 1 invoice, changes 1 contact, posts 1 journal");
  expect(list).toContain("acct <b>invoice</b> create");
  const { html } = await see("/plans/1");
  const text = textOf(html);
  for (const words of ["New invoice", "Trial balance", "15% GST on Income", "115.00", ben]) {
    expect(text).toContain(words);
  }
  expect([actsIn(html), hiddenIn(html, "digest")]).toEqual([["approve", "refuse"], plan.Digest]);
  const { headers } = await send({ do: "approve" });
  expect(headers.location).toContain("/plans/1?done=approve");
  const approved = (await see("/plans/1")).html;
  expect(actsIn(approved)).toEqual(["apply", "refuse"]);
  const question = await send({ do: "apply" });
  expect(textOf(question.html)).toContain(
    "It creates 1 invoice, changes 1 contact, posts 1 journal.",
  );
  expect((await given.ok("GET", "/Invoices")).Invoices).toEqual([]);
  await send({ do: "apply", sure: "yes" });
  expect((await given.ok("GET", "/Invoices")).Invoices).toHaveLength(1);
  expect(actsIn((await see("/plans/1")).html)).toEqual([]);
});

test("a plan that its maker replaced is not approved by the form of the one before", async () => {
  const { given, plan, proposal, send } = await office();
  const { PlanID, Digest } = plan;
  await asked(given, ann)("", { ...proposal, PlanID, Command: "another" });
  const sent = await send({ do: "approve" });
  expect(sent.status).toBe(400);
  expect(textOf(sent.html)).toContain("has changed since it was shown: look at it again.");
  expect(hiddenIn(sent.html, "digest")).not.toBe(Digest);
});

test("a plan that is refused on its page shows the reason", async () => {
  const { see, send } = await office();
  await send({ do: "refuse", reason: "Paid twice" });
  expect(textOf((await see("/plans/1")).html)).toMatch(/Withdrawn.*Refused Paid twice/);
});

test("a person who may only read is offered no decision, and none is taken from them", async () => {
  const { given, see, send } = await office(false);
  expect(actsIn((await see("/plans/1")).html)).toEqual([]);
  for (const name of ["approve", "apply", "refuse"]) {
    expect([name, (await send({ do: name, sure: "yes" })).status]).toEqual([name, 403]);
  }
  expect((await given.ok("GET", "/Extensions/Plans/1")).Plans[0].State).toBe("WAITING");
});

test("in a book without a server the amount of a plan is typed to approve it", async () => {
  const { given } = await office();
  const pages = browsing(given);
  const { html } = await pages.see("/plans/1");
  const act = { do: "approve", digest: hiddenIn(html, "digest"), token: formToken };
  const wrong = await pages.send("/plans/1", { ...act, amount: "15.00" });
  expect(textOf(wrong.html)).toContain("Another amount was typed than 115.00");
  expect((await pages.send("/plans/1", { ...act, amount: "115.00" })).status).toBe(303);
  expect((await given.ok("GET", "/Extensions/Plans/1")).Plans[0].State).toBe("APPROVED");
});

test("the overview counts the plans that wait", async () => {
  const given = await world();
  const pages = browsing(given);
  expect(textOf((await pages.see("/")).html)).not.toContain("Plans of people and agents");
  await given.ok("POST", "/Extensions/Plans", await invoicePlan(given));
  await given.ok("PUT", "/Invoices", sale(await contact(given), { Status: "DRAFT" }));
  expect(textOf((await pages.see("/")).html)).toContain("Plans of people and agents 1");
});
