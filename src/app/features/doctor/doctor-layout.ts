import type { PageBoxes } from "../../world/page/define-page.ts";
import { layoutWithPreview } from "../../world/page/page-layout.ts";
import type { State } from "../../world/state.ts";

/** The findings beside the sessions, or below them; where there is no room for both, what has the focus. */
export function doctorLayout({ size, doctor }: Pick<State, "size" | "doctor">): PageBoxes {
	const { list, second } = layoutWithPreview(size);
	if (second !== undefined) return { list, second };
	return doctor.inFindings ? { list: undefined, second: list } : { list, second: undefined };
}
