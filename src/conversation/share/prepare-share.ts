import type { Steps } from "../../shared/steps.ts";
import { homeOf } from "../../shared/system.ts";
import { fieldsOf, textOf } from "../../store/format/fields.ts";
import type { Session } from "../../store/read/read-session.ts";
import { capital, formatCount, formatCounted, formatDay } from "../../ui/text/format.ts";
import { type Place, placeOf } from "../entries/place.ts";
import { shortTitle } from "../entries/session-title.ts";
import type { KnownSecret } from "./find-secrets.ts";
import { FINDING_KINDS, FINDING_NAMES, type FindingKind } from "./found.ts";
import { maskedSession } from "./masked-session.ts";
import { Masker, type SecretFinding } from "./masker.ts";
import { type Shared, type Survey, surveySteps } from "./share-items.ts";
import { NO_FAMILY, type SharedFamily } from "./shared-family.ts";

export interface ShareRequest {
	readonly session: Session;
	readonly title: string;
	/** Whether the title is a name, not words of the conversation. @default whether the session has a name */
	readonly isNamed?: boolean;
	/** An entry of the branch. */
	readonly entryId: string;
	/** All branches, not only that one. */
	readonly all: boolean;
	readonly allowed: ReadonlySet<FindingKind>;
	readonly home: string;
	/** Values that are secret, wherever they stand. @default none */
	readonly secrets?: readonly KnownSecret[];
	/** The pages of its family. @default none */
	readonly family?: SharedFamily;
}

/** What is shared, masked, with all that is known of it before it is written. */
export interface PreparedShare {
	readonly shared: Shared;
	readonly title: string;
	/** A short title that does not repeat what is said below it. */
	readonly heading: string;
	readonly place: Place;
	readonly survey: Survey;
	readonly groups: readonly FindingGroup[];
	readonly family: SharedFamily;
}

/** Masks a session, and looks at all of it that is to be shared. */
export function* prepareShare(request: ShareRequest): Steps<PreparedShare> {
	const { session, title, entryId, all, allowed, home, family = NO_FAMILY } = request;
	const { isNamed = (session.tree.name ?? "").trim() !== "" } = request;
	const about = [title, ...family.runs.flatMap(({ agent, task }) => [agent, task])];
	const { masked, masker } = yield* maskSteps({ ...request, about });
	const shared: Shared = { session: masked, entryId, all };
	// A home directory that is masked is "~" already.
	const place = placeOf(masked, allowed.has("home") ? home : "");
	const maskedTitle = masker.mask(title, "");
	const mask = (text: string): string => masker.mask(text, "");
	const runs = family.runs.map((run) => ({ ...run, agent: mask(run.agent), task: mask(run.task) }));
	const survey = yield* surveySteps(shared, place);
	const groups = findingGroups(masker.findings, survey.ids, allowed);
	const heading = isNamed ? shortTitle(maskedTitle) : placeAndDay(place.cwd, survey.sum.startMs);
	return { shared, title: maskedTitle, heading, place, survey, groups, family: { ...family, runs } };
}

/** "Session in api, 21 Nov 2025": the heading of a conversation without a name, whose first prompt follows. */
function placeAndDay(cwd: string, startMs: number | undefined): string {
	const project = cwd.split(/[/\\]/).findLast((name) => name !== "") ?? "";
	const day = startMs === undefined ? "" : formatDay(startMs);
	return ["Session", project === "" ? "" : ` in ${project}`, day === "" ? "" : `, ${day}`].join("");
}

interface MaskRequest extends Pick<ShareRequest, "session" | "allowed" | "home" | "secrets"> {
	/** Texts about the session, which are looked through, too. */
	readonly about: readonly string[];
}

/** A session in which all is masked that is not allowed, and what masks texts about it in the same way. */
export function* maskSteps({
	session,
	allowed,
	home,
	secrets = [],
	about,
}: MaskRequest): Steps<{ readonly masked: Session; readonly masker: Masker }> {
	const { cwd, parentSession } = fieldsOf(session.header);
	const homes = [home, ...[cwd, parentSession].map((path) => homeOf(textOf(path)) ?? "")];
	const masker = new Masker({ allowed, homes: homes.filter((path) => path.length > 1), secrets });
	for (const text of about) masker.learn(text, "");
	return { masked: yield* maskedSession(session, masker), masker };
}

export interface FindingGroup {
	readonly kind: FindingKind;
	/** "2 keys" */
	readonly words: string;
	readonly findings: readonly SecretFinding[];
	readonly isAllowed: boolean;
}

/** The findings in what is shared, by their kinds, each with its places there; `ids`: the entries that are shared. */
export function findingGroups(
	findings: Iterable<SecretFinding>,
	ids: ReadonlySet<string>,
	allowed: ReadonlySet<FindingKind>,
): readonly FindingGroup[] {
	const all = [...findings].flatMap((finding) => {
		const places = new Set(finding.places.values().filter((id) => id === "" || ids.has(id)));
		return places.size === 0 ? [] : [{ ...finding, places }];
	});
	return FINDING_NAMES.flatMap((kind) => {
		const kindFindings = all.filter((finding) => finding.kind === kind);
		if (kindFindings.length === 0) return [];
		const { one, many } = FINDING_KINDS[kind];
		return [
			{
				kind,
				words: formatCounted(countOf(kindFindings), one, many),
				findings: kindFindings,
				isAllowed: allowed.has(kind),
			},
		];
	});
}

/** How many there are; a home directory may be written in several ways. */
function countOf(findings: readonly SecretFinding[]): number {
	return new Set(
		findings.map(({ kind, text }) => (kind === "home" ? text.replace(/^[A-Za-z]:|[^\p{L}\p{N}]+/gu, "") : text)),
	).size;
}

/** Characters of a secret that are shown to the person who knows it. */
const HINT_LENGTH = 6;

/** A finding as the person may see it again in a log: a secret by its beginning. */
export function findingHint({ kind, text, isGiven }: SecretFinding): string {
	if (isGiven) return `a value of .env (${formatCounted(text.length, "character")})`;
	if (kind === "mail" || kind === "home" || kind === "user") return text;
	const isKey = text.startsWith("-----BEGIN");
	const start = isKey ? "private key" : text.slice(0, Math.min(HINT_LENGTH, Math.floor(text.length / 4)));
	return `${start}… (${formatCounted(text.length, "character")})`;
}

/** For the person who shares it: what is masked in it, and that it has to be read, as what has none of the known forms is not found. */
export function maskedLine({ groups }: Pick<PreparedShare, "groups">): string {
	const masked = groups.filter(({ isAllowed }) => !isAllowed).map(({ words }) => words);
	if (masked.length === 0) return "Nothing in it looks secret, so nothing is masked: read it before you share it.";
	return `Masked: ${masked.join(", ")}. Read the rest before you share it.`;
}

export function leftOutLines({ shared, survey }: PreparedShare): string[] {
	const damaged = shared.session.diagnostics.filter(({ severity }) => severity === "damage").length;
	const leftOut = { branches: survey.leftOutBranches, entries: survey.leftOutEntries };
	return [
		...(leftOut.branches === 0 ? [] : [`${capital(leftOutWords(leftOut))}.`]),
		...(damaged === 0
			? []
			: [`The file is damaged in ${formatCounted(damaged, "place")}: what cannot be read is not here.`]),
	];
}

/** What there is to say of its pictures, where they are shown. */
export function pictureLines({ survey: { images, oddImages } }: PreparedShare): string[] {
	return [
		...(images === 0 ? [] : [`${formatCounted(images, "picture")} as in the session: nothing is masked in pictures.`]),
		...(oddImages === 0 ? [] : [`${formatCounted(oddImages, "picture")} of a form that browsers do not show.`]),
	];
}

/** "another branch (12 entries) is left out" */
export function leftOutWords({ branches, entries }: { readonly branches: number; readonly entries: number }): string {
	const many = formatCounted(entries, "entry", "entries");
	return branches === 1
		? `another branch (${many}) is left out`
		: `${formatCount(branches)} other branches (${many}) are left out`;
}
