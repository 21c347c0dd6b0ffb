import { z } from "zod";
import type { HostInfo, OpenInHost } from "../../app/world/state/choice.ts";
import { HOST_VARIABLE } from "./host-variable.ts";

export const OpenSchema: z.ZodType<OpenInHost> = z.object({
	id: z.string(),
	cwd: z.string(),
	path: z.string().exactOptional(),
	leaf: z.string().nullable(),
});

const InfoSchema: z.ZodType<HostInfo> = z.object({
	protocol: z.literal(1),
	fd: z.int().min(0),
	pi: z.string(),
	open: OpenSchema,
	busy: z.boolean(),
	theme: z
		.object({
			colors: z.record(z.string(), z.union([z.string(), z.number()])),
			appearance: z.enum(["dark", "light"]),
		})
		.exactOptional(),
});

/** What the pi that starts us says of itself. A mistake: what cannot be understood, in a sentence. */
export function readHostInfo(text: string): HostInfo | { readonly mistake: string } {
	const read = readJson(text);
	const info = InfoSchema.safeParse(read);
	if (info.success) return info.data;
	const protocol = z.object({ protocol: z.number() }).safeParse(read);
	if (protocol.success && protocol.data.protocol !== 1)
		return {
			mistake: `the extension in pi speaks version ${protocol.data.protocol} to this pi-grove, which knows 1; install both anew: pi install npm:pi-grove`,
		};
	const [issue] = info.error.issues;
	const where = issue === undefined || issue.path.length === 0 ? "it" : issue.path.join(".");
	return { mistake: `cannot read ${HOST_VARIABLE}: ${where} is not as expected; only pi sets it (/grove)` };
}

function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
