import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

/** Where the person says how far the agent may look. */
const SETTING = "PI_GROVE_HISTORY";

/** No comes first: pi highlights the first answer, and enter may have been meant for what the person was typing. */
const ANSWERS = ["No, only of this project", "Yes, in this session"] as const;

/** The pis in which the person has agreed, by their sessions. */
const agreed = new Set<string>();

/**
 * Lets the agent look into sessions of other projects, or rejects with a plain sentence. The person decides: by the setting, or,
 * where there is none, by an answer, which holds for the session that is open.
 */
export async function allowOtherProjects(
	ctx: ExtensionContext,
	setting: string | undefined = process.env[SETTING],
): Promise<void> {
	if (setting === "all") return;
	if (setting === "project")
		throw new Error(`Only sessions of this project may be looked into: the person has set ${SETTING}=project.`);
	if (setting !== undefined && setting !== "" && setting !== "ask")
		throw new Error(
			`Only sessions of this project may be looked into: ${SETTING} is set to something other than project, ask or all.`,
		);
	const session = ctx.sessionManager.getSessionId();
	if (agreed.has(session)) return;
	if (ctx.mode !== "tui" && ctx.mode !== "rpc")
		throw new Error(
			`Only sessions of this project may be looked into: nobody is there to be asked. The person can set ${SETTING}=all.`,
		);
	const answer = await ctx.ui.select(
		// Short, so that the answers are seen on a small screen too.
		`May the agent look into sessions of other projects? What it finds goes to the model, with secrets masked by their form. (${SETTING}=project or all: never ask.)`,
		[...ANSWERS],
	);
	if (answer !== ANSWERS[1])
		throw new Error("Only sessions of this project may be looked into: the person has refused others.");
	agreed.add(session);
}
