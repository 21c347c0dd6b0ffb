import type { Query } from "../../../catalog/query/parse-query.ts";
import type { SessionHits } from "../../../catalog/search/search.ts";
import type { ColorJob } from "../../../conversation/document/color-job.ts";
import type { FindJob } from "../../../conversation/document/find-job.ts";
import type { Renderers } from "../../../conversation/render/renderers.ts";
import type { Feature } from "../../world/page/feature.ts";
import type { ReaderState } from "../../world/state/reader-state.ts";
import type { State } from "../../world/state/state.ts";
import { lookedThrough } from "./grow.ts";
import { applyHits } from "./search-results.ts";

export const READER: Feature<ReaderAction> = {
	on: {
		hits: applyHits,
		"looked-through": (state, { job }) => lookedThrough(state, job),
		colored: (state, { job }) => (state.reader.coloring === job ? withReader(state, { coloring: undefined }) : state),
		renderers: (state, { renderers }) => withReader(state, { renderers }),
	},
};

function withReader(state: State, fields: Partial<ReaderState>): State {
	return { ...state, reader: { ...state.reader, ...fields } };
}

/** What can happen to it. */
type ReaderAction =
	/** All hits in one session. */
	| { readonly type: "hits"; readonly path: string; readonly query: Query; readonly found: SessionHits }
	/** More of the conversation was looked through. */
	| { readonly type: "looked-through"; readonly job: FindJob }
	/** Code in sight has colors now. */
	| { readonly type: "colored"; readonly job: ColorJob }
	/** What reads Markdown and code is there. */
	| { readonly type: "renderers"; readonly renderers: Renderers };

/** What it wants done outside. */
export type ReaderEffect =
	/** Look through more of the conversation. */
	| { readonly type: "look-through"; readonly job: FindJob }
	/** Draw code in sight again, with colors. */
	| { readonly type: "color"; readonly job: ColorJob }
	/** Load what reads Markdown and code. */
	| { readonly type: "load-renderers" };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly reader: ReaderAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly reader: ReaderEffect;
	}
}
