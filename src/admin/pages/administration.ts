/** The pages of those who administer an organisation: its people, apps, webhooks and audit log. */
import { appRoutes } from "./apps.ts";
import { auditRoutes } from "./audit.ts";
import { type AdministrationDesk, pagesOf, type Tab } from "./desk.ts";
import { peopleRoutes } from "./people.ts";
import { webhookRoutes } from "./webhooks.ts";

export const administrationTabs: readonly Tab[] = [
  { title: "People", path: "/people" },
  { title: "Apps", path: "/apps" },
  { title: "Webhooks", path: "/webhooks" },
  { title: "Audit log", path: "/audit" },
];

export const administrationPages = pagesOf<AdministrationDesk>([
  ...peopleRoutes,
  ...appRoutes,
  ...webhookRoutes,
  ...auditRoutes,
]);
