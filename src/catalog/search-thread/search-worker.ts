import { parentPort } from "node:worker_threads";
import { serveThread } from "../../shared/channel.ts";
import { RipgrepError } from "../search/find-ripgrep.ts";
import { NO_HITS } from "../search/search.ts";
import { Searcher } from "../search/searcher.ts";
import { UseFinder } from "../uses/use-finder.ts";
import type { SearchCalls, SearchThreadEvent } from "./protocol.ts";

/** The thread that reads and compares what ripgrep finds, so that typing is never blocked. */
serveThread<SearchCalls, SearchThreadEvent>(parentPort, (emit) => {
	const onProcess = (pid: number, running: boolean) => emit({ type: "process", pid, running });
	const searcher = new Searcher((request, event) => emit({ type: "search", request, event }), onProcess);
	const finder = new UseFinder((request, event) => emit({ type: "uses", request, event }), onProcess);
	return {
		update: (files) => searcher.update(files),
		remove: (paths) => searcher.remove(paths),
		watchVisible: (paths, watched) => searcher.watchVisible(paths, watched),
		search: (request, query) => searcher.search(request, query),
		stop: () => searcher.stop(),
		hits: (query, path) => unlessFailed(searcher.hits(query, path), NO_HITS),
		searchEach: (queries) => unlessFailed(searcher.searchEach(queries), []),
		askUses: (...asked) => finder.ask(...asked),
		stopUses: () => finder.stop(),
		ping: () => true,
		async close() {
			await Promise.all([searcher.close(), finder.close()]);
			process.exit();
		},
	};
});

/** The result; `nothing` if ripgrep has failed, which the list's search has already reported. */
function unlessFailed<Result>(working: Promise<Result>, nothing: Result): Promise<Result> {
	return working.catch((error: unknown) => {
		if (!(error instanceof RipgrepError)) throw error;
		return nothing;
	});
}
