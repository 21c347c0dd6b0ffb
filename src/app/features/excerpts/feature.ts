import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Excerpt, ImageExcerpt } from "../../../conversation/markdown/excerpt.ts";

/** Effects of taking excerpts out. */
export type ExcerptsEffect =
	/** Save the conversations of these sessions as Markdown files in a new directory. */
	| { readonly type: "export-all"; readonly rows: readonly SessionRow[] }
	/** Copy a part of a session as Markdown, show it in the person's editor or pager, or save it as a file. */
	| { readonly type: "copy-excerpt"; readonly excerpt: Excerpt }
	| { readonly type: "open-excerpt"; readonly excerpt: Excerpt; readonly in: "editor" | "pager" }
	| { readonly type: "export-excerpt"; readonly excerpt: Excerpt }
	/** Open an image in the person's image viewer, or save it as a file. */
	| { readonly type: "open-image"; readonly image: ImageExcerpt }
	| { readonly type: "save-image"; readonly image: ImageExcerpt };

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly excerpts: ExcerptsEffect;
	}
}
