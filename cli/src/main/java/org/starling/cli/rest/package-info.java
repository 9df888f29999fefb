/**
 * The REST interface of a cluster, opened by every superpeer process: paths under {@code /api/v1},
 * described in {@code openapi.json} beside this package. The engine finds it by {@code
 * ServiceLoader}. Start with {@link org.starling.cli.rest.RestEndpoint}.
 */
@NullMarked
package org.starling.cli.rest;

import org.jspecify.annotations.NullMarked;
