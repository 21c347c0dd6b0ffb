/** pi's own session manager, by its file: not all that is compared here is exported by the package. */
export * from "./node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js";
