/** /Users: who works on the books, and as what. */
import { user } from "../../resources/index.ts";
import type { User } from "../../resources/user.ts";
import { type Endpoint, onlyRead } from "./endpoint.ts";

export const users: Endpoint<User> = {
  resource: user,
  listOrder: "EmailAddress",
  writer: onlyRead,
};
