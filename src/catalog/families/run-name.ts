interface RunName {
	/** Empty where it is not known. */
	readonly agent: string;
	/** The run and its index, as a report of the parent has them (`pi-subagents`). */
	readonly runId?: string;
	readonly index?: number;
	/** The beginning of the agent's id, which is the key of the parent's reports (`@tintinweb/pi-subagents`). */
	readonly agentId?: string;
}

/** `subagent-scout-<run id>-1`: the address by which agents write to each other. */
const ADDRESS = /^subagent-(.{1,200})-([0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?)-(\d{1,6})$/;
/** `writer#8ec55da3` */
const AGENT = /^([^#\s]{1,200})#([0-9a-f-]{8})$/;

/** Whose run a session is, by its name; undefined for any other name. A person may choose such a name, too. */
export function runNameOf(text: string): RunName | undefined {
	const name = text.trim();
	const [, agent, runId, number] = ADDRESS.exec(name) ?? [];
	if (agent !== undefined && runId !== undefined && Number(number) > 0)
		return { agent, runId, index: Number(number) - 1 };
	const [, type, agentId] = AGENT.exec(name) ?? [];
	return type === undefined || agentId === undefined ? undefined : { agent: type, agentId };
}
