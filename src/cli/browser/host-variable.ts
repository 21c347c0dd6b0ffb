/** Where pi tells who it is. */
export const HOST_VARIABLE = "PI_GROVE_HOST";

/**
 * What the pi that starts us says of itself, taken out of the environment, so that no program that is started from here takes
 * itself for pi's child; undefined where no pi does.
 */
export function takeHostText(env: NodeJS.ProcessEnv): string | undefined {
	const text = env[HOST_VARIABLE];
	delete env[HOST_VARIABLE];
	return text === "" ? undefined : text;
}
