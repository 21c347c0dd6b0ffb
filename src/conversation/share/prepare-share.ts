import type { Steps } from "../../shared/steps.ts";
import type { Session } from "../../store/read/read-session.ts";
import { fieldsOf, textOf } from "../entries/fields.ts";
import { type Place, placeOf } from "../entries/place.ts";
import type { KnownSecret } from "./env-values.ts";
import { homeOf } from "./find-homes.ts";
import type { FindingKind } from "./finding-kinds.ts";
import { maskedSession } from "./masked-session.ts";
import { Masker } from "./masker.ts";
import type { Shared } from "./share-items.ts";
import { type Survey, surveySteps } from "./survey.ts";
import { type FindingGroup, findingGroups } from "./told-findings.ts";

/** What is to be shared. */
export interface ShareRequest {
	readonly session: Session;
	readonly title: string;
	/** An entry of the branch. */
	readonly entryId: string;
	/** All branches, not only that one. */
	readonly all: boolean;
	/** What is left as it is. */
	readonly allowed: ReadonlySet<FindingKind>;
	/** The person's home directory. */
	readonly home: string;
	/** Values that are secret, wherever they stand. @default none */
	readonly secrets?: readonly KnownSecret[];
}

/** What is shared, masked, with all that is known of it before it is written. */
export interface PreparedShare {
	readonly shared: Shared;
	readonly title: string;
	readonly place: Place;
	readonly survey: Survey;
	/** What was found in it. */
	readonly groups: readonly FindingGroup[];
}

/** Masks a session, and looks at all of it that is to be shared. */
export function* prepareShare(request: ShareRequest): Steps<PreparedShare> {
	const { title, entryId, all, allowed, home } = request;
	const { masked, masker } = yield* maskSteps({ ...request, about: [title] });
	const shared: Shared = { session: masked, entryId, all };
	// A home directory that is masked is "~" already.
	const place = placeOf(masked, allowed.has("home") ? home : "");
	const maskedTitle = masker.mask(title, "");
	const survey = yield* surveySteps(shared, place);
	return { shared, title: maskedTitle, place, survey, groups: findingGroups(masker.findings, survey.ids, allowed) };
}

/** What is to be masked. */
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
