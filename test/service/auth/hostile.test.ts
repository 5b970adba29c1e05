/** What no client sends is refused; a failure of the service would be reported, and fail the test. */
import { expect, test } from "vitest";
import { desk, employ } from "./served.ts";
import { redirect } from "./tokens.ts";

const form = "application/x-www-form-urlencoded";
const long = "x".repeat(70_000);

test.each<[type: string | undefined, body: string, authorization?: string]>([
  [undefined, ""],
  [form, ""],
  [form, "&&&==&%zz=%zz"],
  [form, "grant_type=authorization_code&grant_type=refresh_token&client_id=a&client_id=b"],
  [form, "grant_type[]=a&client_id[]=b&__proto__[x]=1&constructor=1"],
  [form, "grant_type=refresh_token&refresh_token=%00&client_id=%00&client_secret=%ff"],
  [form, `grant_type=refresh_token&client_id=a&refresh_token=${long}`],
  [form, `grant_type=client_credentials&scope=${"a ".repeat(20_000)}&client_id=a&client_secret=b`],
  ["application/json", '{"grant_type":"client_credentials"}'],
  ["multipart/form-data; boundary=x", "--x--"],
  ["text/plain", "\u0000"],
  [form, "grant_type=client_credentials", "Basic"],
  [form, "grant_type=client_credentials", "Basic ???"],
  [form, "grant_type=client_credentials", `Basic ${Buffer.from("%zz:%zz").toString("base64")}`],
  [form, "grant_type=client_credentials", `Basic ${Buffer.from("nobody").toString("base64")}`],
  [form, "grant_type=client_credentials", "Bearer x"],
  [form, "grant_type=client_credentials&client_id=a&client_secret=b", "Basic YTpi"],
])(
  "a hostile request to POST /connect/token, %j %j, is answered without an internal error",
  async (type, body, authorization) => {
    const { origin } = await desk();
    for (const path of ["/connect/token", "/connect/revocation"]) {
      const headers: Record<string, string> = {};
      if (type !== undefined) headers["content-type"] = type;
      if (authorization !== undefined) headers.authorization = authorization;
      const answer = await fetch(`${origin}${path}`, { method: "POST", headers, body });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: expect.stringMatching(/^invalid_(request|client)$/),
      });
    }
  },
);

test("hostile requests to the authorise, sign-in and connections endpoints are answered without an internal error", async () => {
  const at = await desk();
  await employ(at);
  const { id } = await at.app({ name: "Till", redirectUris: [redirect] });
  const good = `response_type=code&client_id=${id}&redirect_uri=${encodeURIComponent(redirect)}`;
  for (const [query, status] of [
    ["", 400],
    ["client_id=a&client_id=b", 400],
    [`${good}&client_id=${id}`, 400],
    ["client_id[]=a&redirect_uri[]=b", 400],
    ["client_id=%00&redirect_uri=javascript:alert(1)&response_type=code", 400],
    [`${good}&scope=openid&scope=openid`, 303],
    [`${good}&scope=${long.slice(0, 20_000)}`, 303],
    [`${good}&scope=openid&prompt=x&prompt=y`, 303],
    [`${good}&scope=openid&prompt=select_account`, 303],
    [`${good}&scope=openid&request=e30.e30.e30`, 303],
    [`${good}&scope=openid&request_uri=https://x.example/`, 303],
    [`${good}&scope=openid&resource=https://x.example/`, 303],
    [`${good}&scope=openid&max_age=-1&id_token_hint=x&claims=x`, 303],
    [`${good}&scope=openid%0Aaccounting.settings`, 303],
    [`${good}&scope=openid&state=%0D%0ASet-Cookie:%20x`, 303],
    [`${good}&scope=openid&response_mode=form_post`, 303],
  ] as const) {
    const url = `${at.origin}/identity/connect/authorize?${query}`;
    const answer = await fetch(url, { redirect: "manual" });
    expect([query.slice(0, 200), answer.status]).toEqual([query.slice(0, 200), status]);
    const to = answer.headers.get("location");
    if (to !== null) expect(to).toMatch(/^(https:\/\/till\.example\/back\?|\/identity\/sign-in\/)/);
  }
  for (const path of ["x", "", "../x", "%00", "%zz"]) {
    for (const method of ["GET", "POST", "PUT"]) {
      const answer = await fetch(`${at.origin}/identity/sign-in/${path}`, { method });
      expect([path, method, answer.status]).toEqual([
        path,
        method,
        path.startsWith(".") ? 404 : 400,
      ]);
    }
    const resumed = await fetch(`${at.origin}/identity/connect/authorize/${path}`);
    expect([400, 404]).toContain(resumed.status);
  }
  for (const path of ["/connections/%zz", "/connections/x/y", "/connections?authEventId=%00"]) {
    const answer = await fetch(`${at.origin}${path}`, { method: "DELETE" });
    expect(answer.status).toBe(401);
  }
});
