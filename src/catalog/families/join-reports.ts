import { hasEnded, type RunReport, type RunState, withoutGaps } from "./run-report.ts";

/** What two reports about the same run say together: the later one is right, but does not take back what was known. */
export function mergeReports(earlier: RunReport, later: RunReport): RunReport {
	const merged: RunReport = {
		...earlier,
		...later,
		key: earlier.key,
		entryId: earlier.entryId,
		agent: earlier.agent || later.agent,
		task: earlier.task || later.task,
		state: stateOfBoth(earlier.state, later),
		// A run starts after its call.
		startedMs: earlier.isUnnamed ? (later.startedMs ?? earlier.startedMs) : (earlier.startedMs ?? later.startedMs),
		// A notice comes later than the end, which a record has exactly.
		endedMs: hasEnded(earlier.state) ? (earlier.endedMs ?? later.endedMs) : later.endedMs,
		// What is counted only grows.
		turns: larger(earlier.turns, later.turns),
		tokens: larger(earlier.tokens, later.tokens),
		cost: larger(earlier.cost, later.cost),
		// The name of one that has ended was made of the agent's own name.
		sessionName: earlier.sessionName ?? later.sessionName,
	};
	if (!(earlier.isUnnamed && later.isUnnamed)) Reflect.deleteProperty(merged, "isUnnamed");
	return withoutGaps(merged);
}

/** A report of a working run is older than one of its end; "failed" alone says less than how it failed. */
function stateOfBoth(earlier: RunState, { state, error }: RunReport): RunState {
	if (!hasEnded(earlier)) return state;
	if (!hasEnded(state)) return earlier;
	const saysHow = earlier !== "done" && earlier !== "failed";
	return state === "failed" && error === undefined && saysHow ? earlier : state;
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
	return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}

/**
 * The runs of a session, each once, in the order in which they were asked for, from all its reports in the order of its
 * entries. A call becomes the runs that its result names; a notice that names no run is about the one with its session
 * file, else about the oldest of its agent that works in the background.
 */
export function joinReports(reports: Iterable<RunReport>): readonly RunReport[] {
	const joining = new Joining();
	for (const report of reports) joining.add(report);
	return joining.groups.flatMap(({ requests, runs }) => (runs.size > 0 ? [...runs.values()] : requests));
}

/** What one call has started, or one run whose call is not known. */
interface ReportGroup {
	/** What the call asks for, and where each is by its key. */
	requests: RunReport[];
	readonly askedAt: Map<string, number>;
	/** The runs that are known by name, by key. */
	readonly runs: Map<string, RunReport>;
}

class Joining {
	readonly groups: ReportGroup[] = [];
	readonly #ofCall = new Map<string, ReportGroup>();
	readonly #ofWorkflow = new Map<string, ReportGroup>();
	readonly #ofKey = new Map<string, ReportGroup>();
	readonly #keyOfFile = new Map<string, string>();
	/** The keys of runs in the background by agent, oldest first; also of some that have ended. */
	readonly #inBackground = new Map<string, Set<string>>();

	add(report: RunReport): void {
		if (!report.isUnnamed) this.#addRun(report);
		else if (report.callId === undefined) this.#addNotice(report);
		else this.#addCall(report, report.callId);
	}

	#addCall(report: RunReport, callId: string): void {
		let group = this.#ofCall.get(callId);
		// Some providers give the ids of calls again.
		if (group === undefined || (!hasEnded(report.state) && group.runs.size > 0)) {
			group = this.#newGroup();
			this.#ofCall.set(callId, group);
		}
		if (report.workflowId !== undefined) this.#ofWorkflow.set(report.workflowId, group);
		const at = group.askedAt.get(report.key);
		const one = at === undefined ? undefined : group.requests[at];
		const isAboutAll =
			one === undefined ? report.workflowId !== undefined && group.requests.length > 0 : hasEnded(report.state);
		if (isAboutAll) group.requests = group.requests.map((each) => mergeReports(each, report));
		else if (at !== undefined && one !== undefined) group.requests[at] = mergeReports(one, report);
		else group.askedAt.set(report.key, group.requests.push(report) - 1);
	}

	#addNotice(report: RunReport): void {
		const { file, agent } = report;
		const key = (file === undefined ? undefined : this.#keyOfFile.get(file)) ?? this.#oldestOpen(agent);
		this.#addRun(key === undefined ? report : { ...report, key });
	}

	#oldestOpen(agent: string): string | undefined {
		const keys = this.#inBackground.get(agent);
		for (const key of keys ?? []) {
			if (!this.#hasEnded(key)) return key;
			keys?.delete(key);
		}
		return undefined;
	}

	#addRun(report: RunReport): void {
		const { key, callId } = report;
		const group = this.#groupOf(report);
		const earlier = group.runs.get(key) ?? askedFor(group, report);
		const run = earlier === undefined ? report : mergeReports(earlier, report);
		group.runs.set(key, run);
		this.#ofKey.set(key, group);
		if (callId !== undefined && !this.#ofCall.has(callId)) this.#ofCall.set(callId, group);
		if (run.file !== undefined) this.#keyOfFile.set(run.file, key);
		if (!run.isBackground || hasEnded(run.state)) return;
		const keys = this.#inBackground.get(run.agent);
		if (keys === undefined) this.#inBackground.set(run.agent, new Set([key]));
		else keys.add(key);
	}

	#groupOf({ key, callId, workflowId }: RunReport): ReportGroup {
		const keyGroup = this.#ofKey.get(key);
		const called = callId === undefined ? undefined : this.#ofCall.get(callId);
		if (keyGroup === undefined || called === undefined || keyGroup === called)
			return (
				keyGroup ??
				called ??
				(workflowId === undefined ? undefined : this.#ofWorkflow.get(workflowId)) ??
				this.#newGroup()
			);
		const run = keyGroup.runs.get(key);
		// A later call goes on with the same agent.
		if (run === undefined || run.callId !== undefined) {
			if (called.runs.size === 0) called.requests = [];
			return keyGroup;
		}
		// Its record was written before the result that names the call.
		const request = askedFor(called, run);
		called.runs.set(key, request === undefined ? run : mergeReports(request, run));
		keyGroup.runs.delete(key);
		return called;
	}

	#hasEnded(key: string): boolean {
		const run = this.#ofKey.get(key)?.runs.get(key);
		return run === undefined || hasEnded(run.state);
	}

	#newGroup(): ReportGroup {
		const group: ReportGroup = { requests: [], askedAt: new Map(), runs: new Map() };
		this.groups.push(group);
		return group;
	}
}

/** What the call of a group asked of a run that is named for the first time. */
function askedFor({ requests, runs }: ReportGroup, { key, agent }: RunReport): RunReport | undefined {
	const request = requests[runs.size] ?? (requests.length === 1 ? requests[0] : undefined);
	if (request === undefined) return undefined;
	if (request.workflowId === undefined && request.agent !== "workflow")
		return agent === "" || agent === request.agent ? { ...request, key } : undefined;
	// A workflow is not one of its steps.
	const { entryId, callId, isBackground } = request;
	return { entryId, callId, isBackground, key, agent: "", task: "", state: "queued", isUnnamed: true };
}
