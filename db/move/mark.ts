/** Says in `meta` that what is there is a copy which is not finished: nobody may serve it. */
export const MARK = "moving";
