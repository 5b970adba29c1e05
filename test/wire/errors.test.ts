import { describe, expect, test } from "vitest";
import { DiskError, diskError } from "../../src/platform/disk.ts";
import {
  AcctError,
  AuthError,
  LimitedError,
  NotFoundError,
  RefusedError,
  refusalFor,
  UnavailableError,
  UsageError,
} from "../../src/resources/errors.ts";
import { invoice, item } from "../../src/resources/index.ts";
import { decodeError } from "../../src/wire/decode/failure.ts";
import { encodeError, ServiceFailedError, statusOf } from "../../src/wire/errors.ts";
import { readXml } from "../../src/wire/xml.ts";
import { fc, runs } from "../support/properties.ts";

const instance = "3d8b6a1c-5d0e-4a56-8a4b-0e2f6f7c9b10";
const formats = ["xml", "json"] as const;

const back = async (format: "xml" | "json", error: unknown, context: object = {}) => {
  const { status, headers, body } = encodeError(format, error, { instance, ...context });
  return decodeError(status, headers, body);
};

describe("errors of the service", () => {
  const taken = "Price List Item with Code 'LAMP-2' already exists";
  const rejected = [
    { record: { Code: "LAMP-2", Foo: 1 }, errors: [{ message: taken, rule: "Unique" as const }] },
  ];
  const refusal = refusalFor([{ message: taken, rule: "Unique" }], "…");

  test("a write prevented by several lock dates is refused with one sentence, which names the last date", async () => {
    const details = [
      "period lock date, currently set at 30-Apr-2026",
      "end of year lock date, currently set at 31-Mar-2026",
    ].map((lock) => ({ message: `The document date cannot be before the ${lock}` }));
    for (const format of formats) {
      const told = await back(format, new RefusedError("LockDate", "…", details));
      const message = "The document date is on or before the lock date, 30 Apr 2026";
      expect(told).toMatchObject({ code: "LockDate", message, details: [{ message }] });
    }
  });

  test("a refused record is encoded in XML as the specification shows it", () => {
    const answer = encodeError("xml", refusal, { instance, resource: item, rejected });
    expect(answer).toEqual({
      status: 400,
      headers: { "content-type": "text/xml; charset=utf-8" },
      body:
        '<ApiException xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">' +
        "<ErrorNumber>10</ErrorNumber><Type>ValidationException</Type><Message>A validation exception occurred</Message>" +
        '<Elements><DataContractBase xsi:type="Item"><ValidationErrors><ValidationError><Message>' +
        "Price List Item with Code 'LAMP-2' already exists</Message><Rule>Unique</Rule></ValidationError></ValidationErrors><Warnings />" +
        "<ItemID>00000000-0000-0000-0000-000000000000</ItemID><Code>LAMP-2</Code></DataContractBase></Elements></ApiException>",
    });
  });

  test("a refused record is encoded in JSON as the specification shows it", () => {
    const { body } = encodeError("json", refusal, { instance, resource: item, rejected });
    expect(JSON.parse(body)).toEqual({
      ErrorNumber: 10,
      Type: "ValidationException",
      Message: "A validation exception occurred",
      Elements: [
        {
          ItemID: "00000000-0000-0000-0000-000000000000",
          Code: "LAMP-2",
          ValidationErrors: [{ Message: taken, Rule: "Unique" }],
        },
      ],
    });
  });

  test("a refused existing record is echoed under its id, and a choice as it was sent", () => {
    const record = {
      InvoiceID: "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11",
      Status: "AUTHORIZED",
      DueDate: undefined,
    };
    const { body } = encodeError("json", refusal, {
      instance,
      resource: invoice,
      rejected: [{ record, errors: [{ message: "x" }] }],
    });
    expect(JSON.parse(body).Elements).toEqual([
      { InvoiceID: record.InvoiceID, Status: "AUTHORIZED", ValidationErrors: [{ Message: "x" }] },
    ]);
  });

  test.each([
    ["ValidationException", 400, 10, "ValidationException"],
    ["LockDate", 400, 10, "ValidationException"],
    ["Overflow", 400, 10, "ValidationException"],
    ["PostDataInvalidException", 400, 14, "PostDataInvalidException"],
    ["QueryParseException", 400, 16, "QueryParseException"],
    ["NoDataProcessedException", 400, 17, "NoDataProcessedException"],
    ["NotImplemented", 501, 20, "ApiMethodNotImplementedException"],
  ])("the error %s has status %d, number %d and type %s", (code, status, number, type) => {
    const error = new RefusedError({ code, rule: "Form" }, "What is wrong");
    expect(statusOf(error)).toBe(status);
    const answer = encodeError("json", error, { instance });
    const body = JSON.parse(answer.body);
    expect([answer.status, body.ErrorNumber, body.Type]).toEqual([status, number, type]);
    const { body: xml } = encodeError("xml", error, { instance, resource: invoice });
    expect(
      readXml(xml)
        .children.slice(0, 2)
        .map((each) => each.text),
    ).toEqual([String(number), type]);
    // Whichever way, the sentence gets through.
    expect(answer.body).toContain("What is wrong");
    expect(xml).toContain("What is wrong");
  });

  test("errors 401 and 403 are JSON with two sets of field names, whatever the Accept header", () => {
    for (const format of formats) {
      const expired = encodeError(
        format,
        new AuthError("TokenExpired", "token expired at 03/02/2026 21:14:07"),
        { instance },
      );
      expect(expired.status).toBe(401);
      expect(expired.headers).toEqual({
        "content-type": "application/json; charset=utf-8",
        "www-authenticate": "Bearer",
      });
      expect(JSON.parse(expired.body)).toEqual({
        Type: null,
        Title: "Unauthorized",
        Status: 401,
        Detail: "TokenExpired: token expired at 03/02/2026 21:14:07",
        Instance: instance,
        Extensions: {},
        type: "about:blank",
        title: "Unauthorized",
        status: 401,
        detail: "TokenExpired: token expired at 03/02/2026 21:14:07",
      });
      // A sentence that names its code already is left as it is.
      const unknown = encodeError(
        format,
        new AuthError("AuthenticationUnsuccessful", "AuthenticationUnsuccessful"),
        { instance },
      );
      expect(JSON.parse(unknown.body).Detail).toBe("AuthenticationUnsuccessful");
      const role =
        "You are not permitted to access this resource without the reporting role or higher privileges";
      const forbidden = encodeError(format, new AuthError("NoReports", role, 403), { instance });
      expect(forbidden.status).toBe(403);
      expect(JSON.parse(forbidden.body)).toMatchObject({
        Title: "Forbidden",
        Status: 403,
        Detail: role,
      });
    }
  });

  test("error 404 is a plain sentence, or a problem document where JSON is requested", () => {
    const error = new NotFoundError("NotFound", "There is no invoice <b>.");
    expect(encodeError("xml", error, { instance })).toEqual({
      status: 404,
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: "There is no invoice <b>.",
    });
    const answer = encodeError("json", error, { instance });
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(JSON.parse(answer.body)).toEqual({
      type: "about:blank",
      title: "Not Found",
      status: 404,
      detail: "There is no invoice <b>.",
    });
  });

  test("a rate limit error is sent as the form text that existing clients parse", () => {
    const error = new UnavailableError("RateLimitMinute", "please wait before retrying", {
      retryAfterMs: 25_001,
    });
    expect(encodeError("json", error, { instance })).toEqual({
      status: 503,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "retry-after": "26",
        "x-rate-limit-problem": "minute",
      },
      body: "oauth_problem=rate%20limit%20exceeded&oauth_problem_advice=please%20wait%20before%20retrying",
    });
  });

  test("an outage error is sent as a sentence that cannot be parsed as form text", () => {
    const error = new UnavailableError("Offline", "The Organisation is offline (a=b)");
    expect(encodeError("xml", error, { instance })).toEqual({
      status: 503,
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: "The Organisation is offline (a b)",
    });
  });

  test.each([
    new Error("secret path /var"),
    new UsageError("Flag", "secret"),
    "secret",
    undefined,
    { secret: 1 },
  ])("the exception %o is answered with status 500, without its message", (error) => {
    for (const format of formats) {
      const answer = encodeError(format, error, { instance, resource: item });
      expect(answer.status).toBe(500);
      expect(statusOf(error)).toBe(500);
      expect(answer.body).not.toContain("secret");
      expect(answer.body).toContain(instance);
      expect(answer.body).toContain("500");
    }
  });
});

describe("errors encoded and decoded", () => {
  test.each(formats)(
    "a refusal in %s is decoded with its code and every sentence",
    async (format) => {
      const sentences = ["Invoice # must be unique.", "A <b> & 'c' \"d\"", "é😀"];
      const error = await back(
        format,
        refusalFor(sentences.map((message) => ({ message, rule: "Unique" }))),
        { resource: invoice },
      );
      expect(error).toBeInstanceOf(RefusedError);
      expect(error.code).toBe("ValidationException");
      expect(error.message).toBe("Invoice # must be unique (and 2 more faults).");
      expect(error.details.map((each) => each.message)).toEqual(sentences);
      expect(error.details.map((each) => each.rule)).toEqual(["Unique", "Unique", "Unique"]);
    },
  );

  test.each(formats)("a refusal in %s is decoded with the record of each fault", async (format) => {
    const rejected = [
      { record: { InvoiceNumber: "INV-1" }, errors: [{ message: "a" }, { message: "b" }] },
      { record: { InvoiceNumber: "INV-2 & 3" }, errors: [{ message: "a" }] },
    ];
    const error = await back(format, refusalFor([], "x"), {
      resource: invoice,
      rejected,
    });
    expect(error.details).toEqual([
      { message: "a", record: "INV-1" },
      { message: "b", record: "INV-1" },
      { message: "a", record: "INV-2 & 3" },
    ]);
  });

  test.each(formats)(
    "a refusal of one sentence in %s is decoded as that sentence",
    async (format) => {
      expect(
        (await back(format, new RefusedError("LockDate", "The date is locked."))).message,
      ).toBe("The date is locked.");
      const query = await back(
        format,
        new RefusedError(
          "QueryParseException",
          "No property or field 'Foo' exists in type 'Invoice'",
        ),
      );
      expect([query.code, query.message]).toEqual([
        "QueryParseException",
        "No property or field 'Foo' exists in type 'Invoice'",
      ]);
      const data = await back(
        format,
        new RefusedError("PostDataInvalidException", "Record 1: a (and 1 more fault).", [
          { message: "Record 1: a." },
          { message: "Record 1: b." },
        ]),
      );
      expect([data.code, data.message]).toEqual([
        "PostDataInvalidException",
        "Record 1: a (and 1 more fault).",
      ]);
      expect(data.details.map((each) => each.message)).toEqual(["Record 1: a.", "Record 1: b."]);
    },
  );

  test.each([
    ["DiskFull", 507],
    ["ReadOnly", 503],
    ["NotPermitted", 503],
    ["DiskFailing", 503],
    ["Damaged", 503],
  ] as const)("the disk error %s is decoded with its sentence", async (trouble, status) => {
    const error = diskError("/books/a=b.acct", trouble);
    for (const format of formats) {
      expect(encodeError(format, error, { instance }).status).toBe(status);
      const known = await back(format, error);
      expect([known.constructor, known.code, known.message]).toEqual([
        DiskError,
        trouble,
        error.message,
      ]);
    }
    expect(await decodeError(507, {}, "")).toBeInstanceOf(UnavailableError);
  });

  test.each(formats)(
    "sign-in, permission, not-found, rate limit and outage errors in %s are decoded as their classes",
    async (format) => {
      const auth = (await back(
        format,
        new AuthError("TokenExpired", "token expired"),
      )) as AuthError;
      expect([auth.constructor, auth.status, auth.code, auth.message]).toEqual([
        AuthError,
        401,
        "TokenExpired",
        "The token expired; sign in again, or give another.",
      ]);
      const role = (await back(
        format,
        new AuthError("NoReports", "You are not permitted.", 403),
      )) as AuthError;
      expect([role.constructor, role.status, role.code, role.message]).toEqual([
        AuthError,
        403,
        "AuthorizationUnsuccessful",
        "You are not permitted.",
      ]);
      const missing = await back(
        format,
        new NotFoundError("NotFound", "There is no invoice INV-9."),
      );
      expect([missing.constructor, missing.message]).toEqual([
        NotFoundError,
        "There is no invoice INV-9.",
      ]);
      const limit = (await back(
        format,
        new UnavailableError("RateLimitDay", "wait", { retryAfterMs: 26_000 }),
      )) as UnavailableError;
      expect([limit.constructor, limit.code, limit.retryAfterMs]).toEqual([
        LimitedError,
        "RateLimitDay",
        26_000,
      ]);
      expect(limit.message).toBe(
        "The service's rate limit (day) is reached; try again in 26 seconds.",
      );
      const outage = (await back(
        format,
        new UnavailableError("Offline", "The Organisation is offline"),
      )) as UnavailableError;
      expect([outage.constructor, outage.code, outage.retryAfterMs]).toEqual([
        UnavailableError,
        "Outage",
        undefined,
      ]);
      expect(outage.message).toBe(
        "The service is not available (The Organisation is offline); try again later.",
      );
      const method = await back(
        format,
        new RefusedError("NotImplemented", "The Api Method called is not implemented"),
      );
      expect([method.constructor, method.code]).toEqual([RefusedError, "NotImplemented"]);
      const bug = await back(format, new Error("secret"));
      expect(bug).toBeInstanceOf(ServiceFailedError);
      expect(bug.message).toContain(instance);
    },
  );
});

describe("errors of other services", () => {
  type Case = [
    name: string,
    status: number,
    headers: Record<string, string>,
    body: string,
    kind: unknown,
    code: string,
    message: string,
  ];
  test.each<Case>([
    [
      "401 with a Detail",
      401,
      {},
      '{"Type":null,"Title":"Unauthorized","Status":401,"Detail":"AuthenticationUnsuccessful","Instance":"x","Extensions":{}}',
      AuthError,
      "AuthenticationUnsuccessful",
      "The service does not accept the sign-in.",
    ],
    [
      "401 of an expired token",
      401,
      {},
      '{"Detail":"TokenExpired: token expired at 03/02/2026 21:14:07"}',
      AuthError,
      "TokenExpired",
      "The token expired at 03/02/2026 21:14:07; sign in again, or give another.",
    ],
    [
      "401 in form text",
      401,
      {},
      "oauth_problem=token_rejected&oauth_problem_advice=Token%20does+not+match",
      AuthError,
      "token_rejected",
      "Token does not match",
    ],
    [
      "401 and nothing",
      401,
      {},
      "",
      AuthError,
      "AuthenticationUnsuccessful",
      "The service does not accept the sign-in.",
    ],
    [
      "403 and nothing",
      403,
      {},
      "",
      AuthError,
      "AuthorizationUnsuccessful",
      "The service does not permit this to the signed-in user or app.",
    ],
    ["404 and nothing", 404, {}, "", NotFoundError, "NotFound", "The service has no such record."],
    [
      "404 in one line",
      404,
      {},
      "The resource you're looking for cannot be found",
      NotFoundError,
      "NotFound",
      "The resource you're looking for cannot be found",
    ],
    [
      "404 in HTML",
      404,
      {},
      "<html><head><title>Not&nbsp;here &amp; gone</title></head></html>",
      NotFoundError,
      "NotFound",
      "Not&nbsp;here & gone",
    ],
    [
      "a problem",
      409,
      {},
      '{"type":"urn:x","title":"Conflict","status":409,"detail":"It is in use"}',
      RefusedError,
      "Refused",
      "It is in use",
    ],
    [
      "429 and nothing",
      429,
      { "retry-after": "1", "x-rate-limit-problem": "app-minute" },
      "",
      LimitedError,
      "RateLimitAppMinute",
      "The service's rate limit (appminute) is reached; try again in 1 second.",
    ],
    [
      "429 of too many at once",
      429,
      { "x-rate-limit-problem": "concurrent" },
      "",
      LimitedError,
      "RateLimitConcurrent",
      "The service's rate limit (concurrent) is reached; try again later.",
    ],
    [
      "503 in form text without headers",
      503,
      {},
      "oauth_problem=rate%20limit%20exceeded&oauth_problem_advice=please%20wait",
      LimitedError,
      "RateLimit",
      "The service's rate limit is reached; try again later.",
    ],
    [
      "503 of an outage",
      503,
      { "retry-after": "120" },
      "",
      UnavailableError,
      "Outage",
      "The service is not available; try again later.",
    ],
    [
      "502 in HTML",
      502,
      {},
      "<html><body>nginx</body></html>",
      UnavailableError,
      "Outage",
      "The service is not available; try again later.",
    ],
    [
      "500 in JSON",
      500,
      {},
      '{"ErrorNumber":500,"Type":"X","Message":"An error occurred"}',
      ServiceFailedError,
      "ServiceFailed",
      "The service failed with status 500: An error occurred",
    ],
    [
      "400 and nothing",
      400,
      {},
      "",
      RefusedError,
      "Refused",
      "The service refused the request with status 400.",
    ],
    ["400 in broken JSON", 400, {}, '{"Message":', RefusedError, "Refused", '{"Message":'],
    [
      "a redirect",
      302,
      {},
      "",
      ServiceFailedError,
      "ServiceFailed",
      "The service failed with status 302.",
    ],
  ])(
    "an error answer of another service is decoded: %s",
    async (_name, status, headers, body, kind, code, message) => {
      const error = await decodeError(status, headers, body);
      expect([error.constructor, error.code, error.message]).toEqual([kind, code, message]);
    },
  );

  test("faults on the lines of a refused record are decoded, each once", async () => {
    const body = JSON.stringify({
      ErrorNumber: 10,
      Type: "ValidationException",
      Message: "A validation exception occurred",
      Elements: [
        {
          InvoiceID: "00000000-0000-0000-0000-000000000000",
          InvoiceNumber: "INV-1",
          LineItems: [
            { ValidationErrors: [{ Message: "Account code or ID must be specified" }] },
            { ValidationErrors: [] },
          ],
          ValidationErrors: [
            { Message: "Account code or ID must be specified" },
            { Message: "No" },
            { Text: 1 },
            null,
          ],
        },
      ],
    });
    expect((await decodeError(400, {}, body)).details).toEqual([
      { message: "Account code or ID must be specified", record: "INV-1" },
      { message: "No", record: "INV-1" },
    ]);
  });

  test("an XML error answer whose prolog names a wrong encoding is decoded", async () => {
    const body =
      '<?xml version="1.0" encoding="utf-16"?><ApiException><ErrorNumber>10</ErrorNumber><Type>ValidationException</Type>' +
      "<Message>A validation exception occurred</Message><Elements><DataContractBase><ValidationErrors><ValidationError>" +
      "<Message>Bad &#169; &lt;x&gt;</Message></ValidationError></ValidationErrors><Name>Kiln</Name></DataContractBase></Elements>";
    expect((await decodeError(400, {}, body)).details).toEqual([
      { message: "Bad © <x>", record: "Kiln" },
    ]);
  });

  test("the header Retry-After is read as whole seconds, and ignored otherwise", async () => {
    const wait = async (value: string) =>
      ((await decodeError(429, { "retry-after": value }, "")) as UnavailableError).retryAfterMs;
    expect(await wait("26")).toBe(26_000);
    expect(await wait(" 0 ")).toBe(0);
    expect(await wait("soon")).toBeUndefined();
    expect(await wait("-1")).toBeUndefined();
    expect(await wait("Wed, 21 Oct 2026 07:28:00 GMT")).toBeUndefined();
  });

  test("any error answer is decoded as an AcctError", async () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      '"Message":"x"',
      ",",
      "<ApiException>",
      "<Message>",
      "</Message>",
      "<Elements>",
      "<DataContractBase>",
      "&#99999999;",
      "&#xffffff;",
      "oauth_problem=",
      "%zz",
      "&",
      "[",
      "null",
      '"Elements":[1,null]',
    );
    const body = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.array(piece).map((pieces) => pieces.join("")),
      fc.json(),
    );
    const headers = fc.dictionary(
      fc.constantFrom("retry-after", "x-rate-limit-problem", "content-type"),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 300, max: 599 }),
        headers,
        body,
        async (status, given, text) => {
          const error = await decodeError(status, given, text);
          expect(error).toBeInstanceOf(AcctError);
          expect(error.message).not.toBe("");
          expect(error.message.length).toBeLessThan(5_000);
        },
      ),
      { numRuns: runs(2_000) },
    );
  });
});
