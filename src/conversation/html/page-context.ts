import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Place } from "../entries/place.ts";
import type { Renderers } from "../render/renderers.ts";
import { type Html, markup } from "./html-text.ts";

/** What the parts of a page are made from. */
export interface PageContext {
	readonly session: Session;
	/** Where its paths are seen from. */
	readonly place: Place;
	readonly renderers: Renderers;
}

/** The name that an entry has in its page: ids may be anything, so it is the line of its file. */
export function anchorOf({ id }: SessionEntry, { session }: PageContext): Html {
	return markup`e${session.lines.get(id) ?? 0}`;
}
