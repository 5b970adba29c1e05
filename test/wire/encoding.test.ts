import { expect, test } from "vitest";
import { textOfBytes } from "../../src/wire/encoding.ts";
import { Unreadable } from "../../src/wire/json.ts";

const name = "Käfé €";
const xml = (declared: string) =>
  `<?xml version="1.0" encoding="${declared}"?><Name>${name}</Name>`;
const plain = `<Name>${name}</Name>`;
const utf8 = (text: string) => Buffer.from(text);
const wide = (text: string) => Buffer.from(text, "utf16le");
const big = (text: string) => wide(text).swap16();
const western = (text: string) => Buffer.from(text.replaceAll("€", "\x80"), "latin1");

test.each<[name: string, bytes: Buffer, contentType: string | undefined, text: string]>([
  ["UTF-8", utf8(plain), undefined, plain],
  ["UTF-8 with a mark", utf8(`\ufeff${plain}`), undefined, plain],
  ["UTF-8 of the header", utf8(plain), "text/xml; charset=utf-8", plain],
  ["UTF-8 declared as utf-16", utf8(xml("utf-16")), "text/xml", xml("utf-16")],
  [
    "UTF-8 with a mark, declared as utf-16",
    utf8(`\ufeff${xml("utf-16")}`),
    undefined,
    xml("utf-16"),
  ],
  ["UTF-16 with a mark", wide(`\ufeff${xml("utf-16")}`), "application/xml", xml("utf-16")],
  ["UTF-16 the other way with a mark", big(`\ufeff${plain}`), "text/xml; charset=UTF-16", plain],
  ["UTF-16 without a mark", wide(xml("UTF-16")), undefined, xml("UTF-16")],
  ["UTF-16 the other way without a mark", big(xml("utf-16be")), undefined, xml("utf-16be")],
  ["windows-1252 declared", western(xml("windows-1252")), "text/xml", xml("windows-1252")],
  ["ISO-8859-1 declared", western(xml("ISO-8859-1")), undefined, xml("ISO-8859-1")],
  ["ISO-8859-1 of the header", western(plain), 'text/xml; charset="ISO-8859-1"', plain],
  ["ASCII of the header", utf8(plain), "text/xml; charset=us-ascii", plain],
  [
    "JSON in windows-1252",
    western(`{"Name":"${name}"}`),
    "application/json;charset=cp1252",
    `{"Name":"${name}"}`,
  ],
])("request text in %s is decoded", (_name, bytes, contentType, text) => {
  expect(textOfBytes(bytes, contentType)).toBe(text);
});

test.each<[bytes: Buffer, contentType: string | undefined, reason: string]>([
  [western(plain), undefined, "it is not UTF-8"],
  [western(xml("utf-8")), undefined, "it declares utf-8, but it is not UTF-8"],
  [
    utf8(xml("ISO-8859-1")),
    "text/xml; charset=utf-8",
    "its header says utf-8, but it declares ISO-8859-1",
  ],
  [
    wide(`\ufeff${plain}`),
    "text/xml; charset=utf-8",
    "its byte order mark says utf-16le, but its header says utf-8",
  ],
  [
    utf8(`\ufeff${xml("windows-1252")}`),
    undefined,
    "its byte order mark says utf-8, but it declares windows-1252",
  ],
  [wide(xml("utf-8")), undefined, "it declares utf-8, but its bytes are utf-16le"],
  [
    big(`\ufeff${xml("utf-16le")}`),
    undefined,
    "its byte order mark says utf-16be, but it declares utf-16le",
  ],
  [utf8(xml("klingon")), undefined, "it declares klingon, which is no encoding that is known"],
  [
    utf8(plain),
    "text/xml; charset=utf-7",
    "its header says utf-7, which is no encoding that is known",
  ],
])(
  "request bytes %j with content type %s are refused with the reason: %s",
  (bytes, contentType, reason) => {
    expect(() => textOfBytes(bytes, contentType)).toThrow(Unreadable);
    expect(() => textOfBytes(bytes, contentType)).toThrow(reason);
  },
);
