import { formatCount, formatCounted, shortenHome } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { cutLine, lineWidth } from "../../../ui/text/width.ts";
import type { ProjectHeading, SectionHeading } from "../../world/list/headings.ts";
import { SECTION_INFO } from "../../world/list/home.ts";
import type { ProjectNames } from "../../world/list/projects.ts";
import { HERE } from "../../world/list/row-cells.ts";

export interface HeadingDrawing {
	readonly width: number;
	readonly selected: boolean;
	readonly projects: ProjectNames;
	readonly home: string;
	/** Where the program was started. */
	readonly cwd: string;
}

/** The heading of a project: whether it is open, its directory, and how many of its sessions there are. */
export function drawHeading(heading: ProjectHeading, { width, selected, projects, home, cwd }: HeadingDrawing): Line {
	const sign = heading.isFolded ? "▸ " : "▾ ";
	return cutLine(
		[span(selected ? "› " : "  ", "accent"), span(sign, "frame"), ...headingText(heading, projects, home, cwd)],
		width,
	);
}

/** "~/work/api ◂  12 sessions". */
export function headingText(
	{ heading, count }: ProjectHeading,
	projects: ProjectNames,
	home: string,
	cwd: string,
): Line {
	const directory = sanitizeLine(shortenHome(heading, home)) || "no directory";
	return [
		strong(directory, projects.names.get(heading)?.tone),
		...(heading === cwd ? [span(HERE, "current")] : []),
		span(`  ${formatCounted(count, "session")}`, "muted"),
	];
}

export interface SectionDrawing {
	readonly width: number;
	/** Whether all sessions have been counted: until then more may be found that wait. */
	readonly isCounted: boolean;
}

/** The heading of a section: its name, how many of its sessions stand below it, and its rule, with a line to the end. */
export function drawSection(heading: SectionHeading, { width, isCounted }: SectionDrawing): Line {
	const text = [span("  "), ...sectionText(heading, isCounted), span(" ")];
	const rest = width - lineWidth(text) - 1;
	return rest < 1 ? cutLine(text, width) : [...text, span("─".repeat(rest), "frame")];
}

/** "waiting for you  5 of 41  asks or stopped midway, 14 days". */
export function sectionText({ section, count, total }: SectionHeading, isCounted: boolean): Line {
	if (section === "others") return [strong("all others", "heading"), span(`  ${formatCount(count)}`, "muted")];
	const { name, rule } = SECTION_INFO[section];
	const soFar = section === "waiting" && !isCounted ? " so far" : "";
	const counts = count === total ? formatCount(total) : `${formatCount(count)} of ${formatCount(total)}`;
	return [strong(name, "heading"), span(`  ${counts}${soFar}  ${rule}`, "muted")];
}
