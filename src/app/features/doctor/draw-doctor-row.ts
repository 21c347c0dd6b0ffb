import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { Gravity } from "../../../store/doctor/finding.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { cutLine, joinEnds } from "../../../ui/text/width.ts";
import type { Line, Tone } from "../../../ui/view.ts";
import { SIGN_WIDTH } from "../list/draw-row.ts";
import type { DoctorRow } from "./doctor-rows.ts";
import { isSession } from "./doctor-rows.ts";
import { countWords } from "./doctor-words.ts";

interface Drawing {
	readonly width: number;
	readonly selected: boolean;
	readonly marked: boolean;
}

const HEADINGS: Readonly<Record<Gravity, readonly [text: string, tone: Tone]>> = {
	closed: ["pi cannot open", "error"],
	loses: ["something is lost", "warning"],
	odd: ["odd, and nothing is lost", "muted"],
};

const SIGNS: Readonly<Record<Gravity, readonly [text: string, tone: Tone]>> = {
	closed: ["✗ ", "error"],
	loses: ["! ", "warning"],
	odd: ["· ", "muted"],
};

/** The counts take at most this share of a row: the title says which session it is. */
const COUNTS_SHARE = 0.55;

/** A session with what was found in it, or what stands above those that are as badly off. */
export function drawDoctorRow(row: DoctorRow, { width, selected, marked }: Drawing): Line {
	if (!isSession(row)) {
		const [text, tone] = HEADINGS[row.gravity];
		return cutLine([strong(` ${text}`, tone), span(` ${formatCount(row.count)}`, "muted")], width);
	}
	const [sign, tone] = SIGNS[row.gravity];
	const left = [
		span(selected ? "›" : " ", "accent"),
		marked ? strong("✓", "current") : span(" "),
		span(sign, tone),
		span(sessionTitle(row.row)),
	];
	const counts = span(`  ${sanitizeLine(countWords(row.examination).join(", "))} `, "muted");
	return joinEnds(left, cutLine([counts], Math.floor(width * COUNTS_SHARE)), Math.max(SIGN_WIDTH, width));
}
