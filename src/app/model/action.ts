import type { CatalogEvent } from "../../catalog/model/event.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import type { Hit, SearchEvent } from "../../catalog/search/search.ts";
import type { CatalogStats } from "../../catalog/stats/aggregate-stats.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { ResumeRequest } from "./outcome.ts";
import type { Message } from "./state.ts";

/** All that can happen: keys, news from the catalog, results of effects, and what menus choose. */
export type Action =
	/** Keys in the order they were pressed; many may arrive at once. */
	| { readonly type: "keys"; readonly keys: readonly string[] }
	/** Pasted text. */
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "resize"; readonly columns: number; readonly rows: number }
	/** Time has passed; `now` in Unix ms. */
	| { readonly type: "tick"; readonly now: number }
	| { readonly type: "catalog"; readonly event: CatalogEvent }
	| { readonly type: "session-read"; readonly request: number; readonly session: Session }
	| { readonly type: "session-failed"; readonly request: number; readonly message: string }
	/** News of a search; `request` says of which. */
	| { readonly type: "search"; readonly request: number; readonly event: SearchEvent }
	/** All entries of one session with a hit. */
	| { readonly type: "hits"; readonly path: string; readonly query: Query; readonly hits: readonly Hit[] }
	/** The entries of a large session that the tree's filter lets through. */
	| {
			readonly type: "tree-filtered";
			readonly session: Session;
			readonly query: Query;
			readonly ids: ReadonlySet<string>;
	  }
	/** What was counted. */
	| { readonly type: "stats"; readonly stats: CatalogStats }
	/** Something done on the person's behalf is over; `created` is the path of a new session. */
	| { readonly type: "done"; readonly message: Message; readonly created?: string | undefined }
	/** The session's directory is gone: ask what to do. */
	| { readonly type: "directory-missing"; readonly request: ResumeRequest }
	/** A bug: leave with an error. */
	| { readonly type: "failed"; readonly error: string };
