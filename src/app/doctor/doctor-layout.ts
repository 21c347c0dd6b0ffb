import type { Box } from "../../ui/view.ts";
import type { State } from "../model/state.ts";
import { layoutWithPreview } from "../page/page-layout.ts";

/** The boxes of the page; one that is undefined is not drawn. */
interface DoctorLayout {
	readonly sessions: Box | undefined;
	readonly findings: Box | undefined;
}

/** The findings beside the sessions, or below them; where there is no room for both, what has the focus. */
export function doctorLayout({ size, doctor }: Pick<State, "size" | "doctor">): DoctorLayout {
	const { list, second } = layoutWithPreview(size);
	if (second !== undefined) return { sessions: list, findings: second };
	return doctor.inFindings ? { sessions: undefined, findings: list } : { sessions: list, findings: undefined };
}
