/** pi-grove as a library: pi's session files, read and written. */
export type { Diagnostic, DiagnosticCode } from "./store/diagnostic.ts";
export { isDamaged } from "./store/diagnostic.ts";
export { migrateSessionEntries } from "./store/migrate.ts";
export { parseSessionEntries } from "./store/parse.ts";
export { readSession, type Session } from "./store/read-session.ts";
export { readSessionInfo, type SessionInfo, type SessionInfoRow } from "./store/read-session-info.ts";
export * from "./store/schema.ts";
export { StoreError } from "./store/store-error.ts";
export { buildTree, pathTo, type ResolvedLabel, type SessionTree } from "./store/tree.ts";
