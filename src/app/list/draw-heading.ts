import type { Line } from "../model/view.ts";
import { formatCounted, shortenHome } from "../text/format.ts";
import { sanitizeLine } from "../text/sanitize.ts";
import { span, strong } from "../text/span.ts";
import { cutLine } from "../text/width.ts";
import type { Heading } from "./headings.ts";
import type { ProjectNames } from "./project-names.ts";
import { HERE } from "./row-cells.ts";

export interface HeadingDrawing {
	readonly width: number;
	readonly selected: boolean;
	readonly projects: ProjectNames;
	readonly home: string;
	/** Where the program was started. */
	readonly cwd: string;
}

/** The heading of a project: whether it is open, its directory, and how many of its sessions there are. */
export function drawHeading(heading: Heading, { width, selected, projects, home, cwd }: HeadingDrawing): Line {
	const sign = heading.isFolded ? "▸ " : "▾ ";
	return cutLine(
		[span(selected ? "› " : "  ", "accent"), span(sign, "frame"), ...headingText(heading, projects, home, cwd)],
		width,
	);
}

/** "~/work/api ◂  12 sessions". */
export function headingText({ heading, count }: Heading, projects: ProjectNames, home: string, cwd: string): Line {
	const directory = sanitizeLine(shortenHome(heading, home)) || "no directory";
	return [
		strong(directory, projects.names.get(heading)?.tone),
		...(heading === cwd ? [span(HERE, "current")] : []),
		span(`  ${formatCounted(count, "session")}`, "muted"),
	];
}
