import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Rewound } from "../../../../catalog/model/counts.ts";
import type { Choice } from "../../../../changes/engine/answer.ts";
import { rewindSentences, sessionRewind } from "../../../../conversation/entries/rewind.ts";
import { failureIn, type ResumeReason } from "../../../../conversation/glance/can-resume.ts";
import { goesOnFrom } from "../../../../conversation/glance/goes-on-from.ts";
import { outlookSteps } from "../../../../conversation/glance/outlook.ts";
import { resumeViewOf } from "../../../../conversation/glance/resume-view.ts";
import { TimeSlice } from "../../../../shared/steps.ts";
import { holdSession } from "../../../../store/held/hold-session.ts";
import { readSession, type Session } from "../../../../store/read/read-session.ts";
import { rewindPlace } from "../../../../store/tree/rewind.ts";
import type { ChangeCapabilities } from "../../../world/effects/capabilities.ts";
import type { EffectOf } from "../../../world/effects/runners.ts";
import type { Action } from "../../../world/state/action.ts";
import type { Effect } from "../../../world/state/effect.ts";

type ResumeEffect = EffectOf<"resume" | "resume-from">;

/** A larger session is checked only if nothing in it looks odd at first sight: parsing it would keep the person waiting. */
const MAX_BYTES = 64 * 1024 * 1024;

type Needs = Pick<ChangeCapabilities, "store" | "disk" | "pi">;

/**
 * Checks a session before it is resumed. Undefined if pi can go on, or the person knows that it cannot; otherwise the
 * question whether to do it anyway.
 */
export async function checkResume(effect: ResumeEffect, tools: Needs): Promise<Action | undefined> {
	const { path, isWarned } = effect.request;
	if (isWarned === true) return undefined;
	const session = await readUpTo(path);
	if (session === undefined) return undefined;
	const rewound = effect.type === "resume" ? sessionRewind(session) : undefined;
	const title = tools.store.titleOf(path) ?? basename(path);
	if (rewound !== undefined) return askAboutRewind(effect, title, rewound, tools.disk.clock());
	const id = effect.type === "resume" ? session.tree.leafId : goesOnFrom(session, effect.entryId);
	const failure = await failureAt(session, id, tools);
	if (failure === undefined) return undefined;
	const before = failure.entryId === undefined ? undefined : session.tree.parentOf.get(failure.entryId);
	const isBetter = before !== undefined && (await failureAt(session, before, tools)) === undefined;
	const choices: Choice<Effect>[] = [
		{ label: "Cancel" },
		...(isBetter ? [goBack(effect, before)] : []),
		{ label: "Resume anyway", effect: warned(effect) },
	];
	return {
		type: "ask",
		question: { title: "pi cannot go on here", about: title, body: [failure.reason], choices, danger: true },
	};
}

/** Undefined if it cannot be read: the resume itself reports that. */
async function readUpTo(path: string): Promise<Session | undefined> {
	try {
		return (await stat(path)).size > MAX_BYTES ? await holdSession(path) : await readSession(path);
	} catch {
		return undefined;
	}
}

async function failureAt(session: Session, id: string | null, tools: Needs): Promise<ResumeReason | undefined> {
	const outlook = await new TimeSlice().run(outlookSteps(session, id));
	const asked = { cwd: session.header?.cwd ?? "", models: outlook.model === undefined ? [] : [outlook.model] };
	const facts = await tools.pi.files.read(asked);
	return failureIn(resumeViewOf(outlook, facts, tools.disk.clock()).reasons);
}

/** Most of the conversation may be hidden in pi, and only by chance. */
function askAboutRewind(effect: ResumeEffect, title: string, rewound: Rewound, now: number): Action {
	const { request } = effect;
	const choices: Choice<Effect>[] = [
		{
			label: "From the end of the conversation: adds one line to the session",
			effect: { type: "resume-from", request, entryId: rewound.endId },
		},
		{ label: `From ${rewindPlace(rewound)}, as pi would`, effect: warned(effect) },
		{ label: "Cancel" },
	];
	return {
		type: "ask",
		question: {
			title: "Resume from where?",
			about: title,
			body: rewindSentences(rewound, now),
			choices,
			danger: false,
		},
	};
}

function goBack({ request }: ResumeEffect, entryId: string): Choice<Effect> {
	const label = "From before it: adds one line to the session, so that pi goes on there";
	return { label, effect: warned({ type: "resume-from", request, entryId }) };
}

function warned<Effect extends ResumeEffect>(effect: Effect): Effect {
	return { ...effect, request: { ...effect.request, isWarned: true } };
}
