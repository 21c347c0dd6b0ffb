/** The `customType` of the entries that only say where the session continues. */
export const RESUME_POINT_TYPE = "pi-grove:resume-point";
