/**
 * pi-grove as a library: pi's session files, read and written; all sessions of this machine, listed, searched and added up; what a session
 * changed, the files as they were at an entry, and the sessions that wrote a file; the runs of its subagents; what it is about; sessions as
 * pages, Markdown and text. The names shared with pi's SDK mean the same, and those shared with `--json`, too.
 */

export { type RenderOptions, renderSession } from "./app/world/effects/render-session.ts";
export { statsAll } from "./catalog/list-all.ts";
export type { CatalogProblem } from "./catalog/model/event.ts";
export type { SessionRow } from "./catalog/model/row.ts";
export type { ListOptions } from "./catalog/model/session-roots.ts";
export type { Kind as SearchKind } from "./catalog/query/kinds.ts";
export type { OtherForm } from "./catalog/query/other-forms.ts";
export type { Snippet } from "./catalog/query/snippet.ts";
export { RipgrepError } from "./catalog/search/find-ripgrep.ts";
export type { Hit, SearchResult } from "./catalog/search/search.ts";
export { type FoundRun, listRuns } from "./catalog/session-runs.ts";
export type { CatalogStats, StatsLine } from "./catalog/stats/aggregate-stats.ts";
export type { AgentLine } from "./catalog/stats/run-stats.ts";
export type { Digest } from "./conversation/digest/digest.ts";
export type { LineEdit as BlamedEdit } from "./edits/blame.ts";
export { BlameError } from "./edits/blamed-file.ts";
export type { FileAt, FilesAt, GitBase, RanCommand } from "./edits/files-at.ts";
export type { ChangedFile, ChangeSpan, SessionChanges } from "./edits/session-changes.ts";
export { type EditedFile, filesOf, type SessionEdit } from "./edits/session-files.ts";
export {
	type BlameOptions,
	blame,
	type ChangesOfOptions,
	changesOf,
	digestOf,
	type FilesAtOptions,
	type FoundSession,
	filesAt,
	type LineAuthor,
	type ListedSession,
	list,
	listAll,
	type PatchedFile,
	searchAll,
} from "./library.ts";
export { StoreError } from "./store/files/store-error.ts";
export type { Diagnostic, DiagnosticCode } from "./store/format/diagnostic.ts";
export { isDamaged } from "./store/format/diagnostic.ts";
export { asUnknownEntry, hasKnownRole } from "./store/format/entry-fields.ts";
export { migrateSessionEntries } from "./store/format/migrate.ts";
export { assertValidSessionId } from "./store/format/new-entry.ts";
export { parseSessionEntries } from "./store/format/parse.ts";
export { CURRENT_SESSION_VERSION } from "./store/format/raw-entry.ts";
export * from "./store/format/schema.ts";
export {
	type NewSessionOptions,
	type ReadonlySessionManager,
	SessionManager,
} from "./store/manager/session-manager.ts";
export type { SessionListProgress } from "./store/read/list-sessions.ts";
export { readSessionInfo, type SessionInfo, type SessionInfoRow } from "./store/read/list-sessions.ts";
export { loadEntriesFromFile } from "./store/read/load-file.ts";
export { findMostRecentSession } from "./store/read/read-header.ts";
export { readSession, type Session } from "./store/read/read-session.ts";
export { getDefaultSessionDir } from "./store/read/session-dir.ts";
export {
	buildContextEntries,
	buildSessionContext,
	buildSessionProjection,
	getLatestCompactionEntry,
	type ProjectedSessionEntry,
	type SessionContext,
	type SessionProjection,
	sessionEntryToContextMessages,
} from "./store/tree/context.ts";
export type { SessionTreeNode } from "./store/tree/entry-index.ts";
export type { ResolvedLabel } from "./store/tree/labels.ts";
export { buildTree, pathTo, type SessionTree } from "./store/tree/session-table.ts";
