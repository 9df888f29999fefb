/**
 * The protocol of object stores, as Amazon S3 has it and others speak it: names ({@code
 * s3://BUCKET/KEY}), who asks and where, signed requests, and what answers mean. Nothing here talks
 * to a network: {@link org.starling.compute.inputs} sends the requests.
 *
 * <p>Start with {@link org.starling.compute.objects.ObjectRequests}.
 */
@NullMarked
package org.starling.compute.objects;

import org.jspecify.annotations.NullMarked;
