/**
 * pi-grove as a library: pi's session files, read and written, and all sessions of this machine, listed, searched and
 * added up. The names shared with pi's SDK mean the same.
 */
export type { CatalogProblem } from "./catalog/event.ts";
export { type ListOptions, list, listAll } from "./catalog/list-all.ts";
export type { CatalogStats, StatsLine } from "./catalog/numbers/aggregate-stats.ts";
export type { Kind as SearchKind } from "./catalog/query/kinds.ts";
export type { Snippet } from "./catalog/query/snippet.ts";
export type { SessionRow } from "./catalog/row.ts";
export { RipgrepError } from "./catalog/search/find-ripgrep.ts";
export type { Hit, SearchResult } from "./catalog/search/search.ts";
export { type FoundSession, searchAll, statsAll } from "./catalog/search-all.ts";
export {
	buildContextEntries,
	buildSessionContext,
	buildSessionProjection,
	getLatestCompactionEntry,
	type ProjectedSessionEntry,
	type SessionContext,
	type SessionProjection,
	sessionEntryToContextMessages,
} from "./store/context.ts";
export type { Diagnostic, DiagnosticCode } from "./store/diagnostic.ts";
export { isDamaged } from "./store/diagnostic.ts";
export { assertValidSessionId } from "./store/ids.ts";
export type { SessionListProgress } from "./store/list-sessions.ts";
export { loadEntriesFromFile } from "./store/load-file.ts";
export { migrateSessionEntries } from "./store/migrate.ts";
export { parseSessionEntries } from "./store/parse.ts";
export { findMostRecentSession } from "./store/read-header.ts";
export { readSession, type Session } from "./store/read-session.ts";
export { readSessionInfo, type SessionInfo, type SessionInfoRow } from "./store/read-session-info.ts";
export * from "./store/schema.ts";
export { getDefaultSessionDir } from "./store/session-dir.ts";
export { type NewSessionOptions, type ReadonlySessionManager, SessionManager } from "./store/session-manager.ts";
export type { SessionTreeNode } from "./store/session-tree-node.ts";
export { StoreError } from "./store/store-error.ts";
export { buildTree, pathTo, type ResolvedLabel, type SessionTree } from "./store/tree.ts";
