import type { HostPort } from "../../app/features/sessions/effects/host-port.ts";
import type { OpenInHost } from "../../app/world/choice.ts";
import type { Host } from "../../app/world/host.ts";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { findSession } from "../find/find-session.ts";
import type { HostLink } from "./host-link.ts";

/** What pi has said of itself at the start, with the path of its session as the list has it. */
export function listedHost({ info }: HostLink, roots: SessionRoots): Host {
	const { pi, open, busy } = info;
	return { pi, busy, open: listed(open, roots), pid: process.ppid, toldMs: Date.now() };
}

/** The link, with the path of pi's session as the list has it. */
export function hostPort(link: HostLink, roots: SessionRoots): HostPort {
	return {
		change: link.change,
		listen: (listener) =>
			link.listen(({ open, busy }) => listener({ busy, open: listed(open, roots), toldMs: Date.now() })),
	};
}

function listed(open: OpenInHost, roots: SessionRoots): OpenInHost {
	if (open.path === undefined) return open;
	const found = findSession(open.path, roots, open.cwd);
	return "path" in found ? { ...open, path: found.path } : open;
}
