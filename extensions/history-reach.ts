import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

/** The environment variable with which the person says whether the agent may read other projects. */
const SETTING = "PI_GROVE_HISTORY";

/** "No" comes first: pi highlights the first answer, and enter may have been meant for what the person was typing. */
const ANSWERS = ["No, only of this project", "Yes, in this session"] as const;

/** Ids of the sessions in which the person has agreed. */
const agreed = new Set<string>();

const ONLY_THIS = "Only sessions of this project may be read";

/**
 * Resolves if the agent may read sessions of other projects; else rejects with a sentence. The person decides: by the setting,
 * or if there is none, by an answer that holds for the open session.
 */
export async function allowOtherProjects(
	ctx: ExtensionContext,
	setting: string | undefined = process.env[SETTING],
): Promise<void> {
	if (setting === "all") return;
	if (setting === "project") throw new Error(`${ONLY_THIS}: the person has set ${SETTING}=project.`);
	if (setting !== undefined && setting !== "" && setting !== "ask")
		throw new Error(`${ONLY_THIS}: ${SETTING} is set to something other than project, ask or all.`);
	const session = ctx.sessionManager.getSessionId();
	if (agreed.has(session)) return;
	if (ctx.mode !== "tui" && ctx.mode !== "rpc")
		throw new Error(`${ONLY_THIS}: there is no one to ask. The person can set ${SETTING}=all.`);
	const answer = await ctx.ui.select(
		// Short, so that the answers are visible on a small screen too.
		`May the agent read sessions of other projects? What it finds goes to the model, with secrets masked by their form. (${SETTING}=project or all: never ask.)`,
		[...ANSWERS],
	);
	if (answer !== ANSWERS[1]) throw new Error(`${ONLY_THIS}: the person did not allow others.`);
	agreed.add(session);
}
