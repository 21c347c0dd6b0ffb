import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Excerpt, ImageExcerpt } from "../../../conversation/markdown/excerpt.ts";

/** Where something shared goes: a web page, a Markdown file, or, as Markdown, the clipboard. */
type ShareTo = "html" | "markdown" | "clipboard";

/** Effects of taking excerpts out. */
export type ExcerptsEffect =
	/** Save the conversations of sessions, masked; one may be copied as Markdown instead. */
	| { readonly type: "share-sessions"; readonly rows: readonly SessionRow[]; readonly to: ShareTo }
	/** Save a part of a session, masked, or copy it as Markdown. Only a branch is saved as a page. */
	| { readonly type: "share-excerpt"; readonly excerpt: Excerpt; readonly to: ShareTo }
	/** Copy a part of a session as Markdown as it is, or show it in the person's editor or pager. */
	| { readonly type: "copy-excerpt"; readonly excerpt: Excerpt }
	| { readonly type: "open-excerpt"; readonly excerpt: Excerpt; readonly in: "editor" | "pager" }
	/** Open an image in the person's image viewer, or save it as a file. */
	| { readonly type: "open-image"; readonly image: ImageExcerpt }
	| { readonly type: "save-image"; readonly image: ImageExcerpt };

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly excerpts: ExcerptsEffect;
	}
}
