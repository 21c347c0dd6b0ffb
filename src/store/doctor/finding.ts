import type { Diagnostic, DiagnosticCode } from "../format/diagnostic.ts";

/** Found only by a full examination, in addition to the diagnostics of every reading. */
export type DoctorCode = "several-sessions" | "mixed-versions" | "orphaned-result" | "rewound" | "conflict-copy";

export type FindingCode = DiagnosticCode | DoctorCode;

export interface Finding extends Omit<Diagnostic, "code"> {
	readonly code: FindingCode;
	/** Id of the entry concerned, as the session is shown. */
	readonly entryId?: string;
	/** The beginning of its line. */
	readonly text?: string;
}

/** How bad a finding is: pi cannot open the session; something is lost, for pi or for everyone; merely odd. */
export const GRAVITIES = ["closed", "loses", "odd"] as const;
export type Gravity = (typeof GRAVITIES)[number];

interface FindingKind {
	/** Its name, singular and plural. */
	readonly name: readonly [one: string, many: string];
	/** How bad it is; by default its severity decides. */
	readonly gravity?: Gravity;
	/** How bad it is if it is damage. @default "loses" */
	readonly damage?: Gravity;
	/** What pi does with it, as a sentence; absent if the finding's own message says so. */
	readonly pi?: string;
}

const KINDS: Readonly<Record<FindingCode, FindingKind>> = {
	unreadable: {
		name: ["cannot be read", "cannot be read"],
		damage: "closed",
		pi: "pi leaves the file out of its list.",
	},
	empty: { name: ["empty", "empty"], damage: "closed", pi: "Opened by its path, it gets a header of a new session." },
	"not-a-session": { name: ["no header", "no headers"], damage: "closed" },
	"utf-16": { name: ["UTF-16 file", "UTF-16 files"], damage: "closed" },
	"multi-line": { name: ["file of formatted JSON", "files of formatted JSON"], damage: "closed" },
	"header-field": {
		name: ["odd header", "odd headers"],
		damage: "closed",
	},
	"byte-order-mark": { name: ["byte order mark", "byte order marks"], gravity: "closed", pi: "pi refuses to open it." },
	"bad-line": {
		name: ["bad line", "bad lines"],
		pi: "pi skips it, and loses it for good when it rewrites a file of an older version.",
	},
	"glued-line": {
		name: ["line without an end", "lines without an end"],
		gravity: "loses",
		pi: "pi skips all that stands on that line of the file.",
	},
	"repeated-line": { name: ["repeated line", "repeated lines"], pi: "pi counts each, and lists the entry twice." },
	"torn-tail": { name: ["cut-off end", "cut-off ends"], pi: "pi skips it, and ends the line when it opens the file." },
	"invalid-utf8": {
		name: ["line of broken text", "lines of broken text"],
		pi: "pi shows and sends them like that, too.",
	},
	"line-too-long": { name: ["huge line", "huge lines"], pi: "pi reads it as far as its memory goes." },
	"old-version": {
		name: ["older version", "older versions"],
		pi: "pi rewrites the file when it opens it, without its bad lines.",
	},
	"newer-version": { name: ["newer version", "newer versions"], pi: "pi reads it as the version that it knows." },
	"extra-header": { name: ["second header", "second headers"] },
	"entry-field": {
		name: ["odd entry", "odd entries"],
		pi: "pi may fail when it lists, shows or sends it.",
	},
	"duplicate-id": {
		name: ["id twice", "ids twice"],
		gravity: "loses",
		pi: "pi knows only the last entry of an id; entries that follow the others then follow that one.",
	},
	"missing-parent": {
		name: ["missing parent", "missing parents"],
		pi: "pi begins there, too: it sends nothing of what was said before.",
	},
	"parent-cycle": {
		name: ["cycle", "cycles"],
		gravity: "loses",
		pi: "pi follows it until it has no memory left.",
	},
	"several-sessions": { name: ["file of several sessions", "files of several sessions"] },
	"mixed-versions": {
		name: ["mix of versions", "mixes of versions"],
		pi: "pi takes all lines for the version in the first header.",
	},
	"orphaned-result": {
		name: ["result without its call", "results without their call"],
		pi: "Providers refuse every request that has it.",
	},
	rewound: {
		name: ["moved end", "moved ends"],
		pi: "pi continues from the last entry of a file, whatever it is, and neither shows nor sends what is not before it. `pi-grove forward` takes it back to the end.",
	},
	"conflict-copy": {
		name: ["conflict copy", "conflict copies"],
		pi: "pi lists it as a session of its own, and finds only one of the two by their id.",
	},
};

export function gravityOf({ code, severity }: Pick<Finding, "code" | "severity">): Gravity {
	const { gravity, damage = "loses" } = KINDS[code];
	return gravity ?? (severity === "damage" ? damage : "odd");
}

export function worstOf(findings: readonly Finding[]): Gravity | undefined {
	const gravities = new Set(findings.map(gravityOf));
	return GRAVITIES.find((gravity) => gravities.has(gravity));
}

/** What pi does about a kind of finding, as a sentence; undefined if the finding's own message says so. */
export function piDoes(code: FindingCode): string | undefined {
	return KINDS[code].pi;
}

export function nameOfKind(code: FindingCode, count: number): string {
	return KINDS[code].name[count === 1 ? 0 : 1];
}
